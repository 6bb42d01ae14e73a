import type { StoredEvent } from '../../event/event.ts';
import { isBlank } from '../one-line.ts';
import { passagesOf } from '../passages.ts';

/** All there is to read in an event, as one text. Offsets into it count its UTF-16 code units. */
export function eventText({ content }: StoredEvent): string {
  return passagesOf(content)
    .flatMap(({ label, text }) => [label, text])
    .filter((line) => !isBlank(line))
    .join('\n')
    .toWellFormed();
}
