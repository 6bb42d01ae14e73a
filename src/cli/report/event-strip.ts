import type { Look } from '../look.ts';
import type { Place } from '../session-facts.ts';
import { padStart, wrap } from '../text/fit.ts';
import { whole } from '../text/numbers.ts';

/** What is in the prompt is seen first: one event held back among a hundred covered ones still shows. */
const IN_PROMPT: readonly Place[] = ['heldBack', 'raw', 'recovered'];

/** A picture of a session: one cell for every N events, oldest first, and what the cells mean. */
export function eventStrip(look: Look, width: number, places: readonly Place[]): string[] {
  if (places.length === 0) return [];
  const perCell = Math.ceil(places.length / width);
  let strip = '';
  for (let at = 0; at < places.length; at += perCell) strip += cell(look, places.slice(at, at + perCell));
  const scale = perCell === 1 ? 'one cell is one event' : `one cell is ${whole(perCell)} events`;
  return [strip, look.paint.faint(`${scale}, oldest first`), ...legend(look, width, places)];
}

function cell(look: Look, events: readonly Place[]): string {
  const inPrompt = IN_PROMPT.find((place) => events.includes(place));
  if (inPrompt !== undefined) return drawn(look, inPrompt);
  const covered = events.filter((place) => place === 'covered').length;
  return drawn(look, covered * 2 >= events.length ? 'covered' : 'otherLane');
}

function drawn(look: Look, place: Place): string {
  switch (place) {
    case 'covered':
      return look.paint.faint(look.marks.covered);
    case 'raw':
    case 'recovered':
      return look.paint.good(look.marks.raw);
    case 'heldBack':
      return look.paint.warn(look.marks.heldBack);
    case 'otherLane':
      return look.paint.faint(look.marks.otherLane);
  }
}

function legend(look: Look, width: number, places: readonly Place[]): string[] {
  const counts = { covered: 0, recovered: 0, raw: 0, heldBack: 0, otherLane: 0 };
  for (const place of places) counts[place] += 1;
  const rows: readonly (readonly [Place, number, string])[] = [
    ['covered', counts.covered, 'covered: a summary stands in for them'],
    ['raw', counts.raw, 'raw: in the prompt as they were'],
    ['recovered', counts.recovered, 'covered, and shown again with their exchange'],
    ['heldBack', counts.heldBack, 'held back: in the prompt as they were, see below'],
    ['otherLane', counts.otherLane, 'in other lanes: kept, not part of this prompt'],
  ];
  const shown = rows.filter(([, count]) => count > 0);
  const digits = Math.max(...shown.map(([, count]) => whole(count).length));
  return shown.flatMap(([place, count, means]) => {
    const [first = '', ...rest] = wrap(means, width - digits - 3);
    return [
      `${drawn(look, place)} ${padStart(whole(count), digits)} ${first}`,
      ...rest.map((line) => ' '.repeat(digits + 3) + line),
    ];
  });
}
