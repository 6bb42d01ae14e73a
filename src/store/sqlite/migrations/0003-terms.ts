/**
 * Full text of what is covered. What SQL alone does not say:
 *
 * - A row's id is its event's place, so that a session is a range of them. Rows come when an event is first covered, in
 *   that transaction; an event that is raw again keeps its row, and is left out when rows are read.
 * - `terms` is what src/store/search makes of the event, each once, with a blank between, and the marks of its lane and of
 *   the root of its isolation (`laneMark`). The tokenizer only parts it at the blanks. Neither texts nor places in them are
 *   kept: `content=''`, `detail=none`.
 */
export const migration0003 = `
CREATE VIRTUAL TABLE event_terms USING fts5 (
  terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
`;
