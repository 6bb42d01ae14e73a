/** The code points of the five entities that need no declaration. */
export const ENTITIES: ReadonlyMap<string, number> = new Map([
  ['amp', 0x26],
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['quot', 0x22],
  ['apos', 0x27],
]);

/** How long the longest of their names is. */
export const LONGEST_ENTITY = 4;
