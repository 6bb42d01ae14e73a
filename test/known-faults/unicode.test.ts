// UNICODE and the traps of JavaScript's strings.
import { describe, expect, it } from 'vitest';
import { toAnthropic, toText } from '../../src/prompt/index.ts';
import { renderTranscript } from '../../src/summary/transcript.ts';
import { Plain } from '../world/plain-session.ts';
import { committed, shown } from './reading.ts';

const FAMILY = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}';

describe('text is text, whatever is in it', () => {
  // Brought back by slicing between code units.
  it('rows 66, trap 2: no cut of a long text parts a pair, in what a summarizer reads or a prompt says', async () => {
    for (const shift of [0, 1]) {
      const plain = new Plain();
      const text = 'a'.repeat(shift) + '\u{1F600}'.repeat(6_000);
      await plain.session.append([
        { role: 'user', content: text },
        { role: 'tool', content: [{ type: 'toolResult', name: 'x', output: { json: text } }] },
        { role: 'user', content: 'last' },
      ]);
      Object.assign(plain.summarizer, { maxTranscriptCodePoints: 4_000 });
      await plain.session.compact({ keep: { events: 1 } });
      for (const { request } of plain.summarizer.requests) {
        const transcript = renderTranscript(request, { nonce: '0123456789abcdef' });
        expect(transcript.isWellFormed()).toBe(true);
        expect(transcript).not.toContain('\uFFFD');
      }
      const pieces = plain.summarizer.requests.flatMap(({ request }) =>
        request.events.flatMap(({ seq, parts }) => (seq === 1 ? parts : [])),
      );
      expect(pieces.map((part) => (part.type === 'text' ? part.text : '')).join('')).toBe(text);
    }
  });

  // Brought back by refusing or mending a lone surrogate where it is stored.
  it('row 66: a lone surrogate comes in, is kept as it came, and never leaves for a provider', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    const lone = `half \ud83d of it ${FAMILY}`;
    plain.summarizer.behaviour = () => ({ kind: 'summary', content: `said ${lone}` });
    const turn = await plain.session.begin();
    await turn.append({ role: 'user', content: lone + plain.text() });
    expect((await plain.store.page(plain.session.key, 0, 1))[0]?.event.content[0]).toMatchObject({
      text: expect.stringContaining('\ud83d of'),
    });
    expect(JSON.stringify(toAnthropic(await plain.session.prompt()))).not.toMatch(/\\ud83d[^\\]/u);
    expect(toText(await plain.session.prompt()).isWellFormed()).toBe(true);
    await turn.end();
    await plain.session.idle();
    const [state] = await plain.session.records();
    expect(state?.record.summary.text.isWellFormed()).toBe(true);
    expect(state?.record.summary.text).toContain(FAMILY);
  });

  // Brought back by counting bytes where characters are meant: a paste no window can take.
  it('rows 21, 64: a paste of 100,000 characters without a blank is covered like anything else', async () => {
    for (const character of ['\u6f22', 'a', '\u{1F600}']) {
      const plain = new Plain();
      await plain.session.append([
        { role: 'user', content: character.repeat(100_000) },
        { role: 'user', content: 'last' },
      ]);
      Object.assign(plain.summarizer, { maxTranscriptCodePoints: 20_000 });
      expect(committed(await plain.session.compact({ keep: { events: 1 } }))).toHaveLength(1);
      expect(await shown(plain.session)).toBe('s 2');
    }
  });

  // Brought back by measuring a text before it is escaped: each line break doubles.
  it('row F25: a window of code, every line break of it escaped, fits the calls it is split into', async () => {
    const plain = new Plain();
    const code = `${'x'.repeat(38)}\n`.repeat(76);
    for (let part = 0; part < 110; part += 1) await plain.session.append([{ role: 'user', content: code }]);
    // And one that is longer than a call takes.
    await plain.session.append([
      { role: 'user', content: code.repeat(20) },
      { role: 'user', content: 'last' },
    ]);
    const limit = 20_000;
    Object.assign(plain.summarizer, { maxTranscriptCodePoints: limit });
    expect(committed(await plain.session.compact({ keep: { events: 1 } }))).toHaveLength(1);
    for (const { request } of plain.summarizer.requests)
      expect(renderTranscript(request, { nonce: '0123456789abcdef' }).length).toBeLessThanOrEqual(limit);
  });

  // Brought back by `replace` with a replacement built from what was said.
  it('trap 1: dollar patterns in a text are characters', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    const text = "$& $` $' $$ $1 $<name> \\n %s {0}";
    plain.summarizer.behaviour = () => ({ kind: 'summary', content: text });
    await plain.turn();
    expect(toText(await plain.session.prompt())).toContain(`\n${text}\n`);
    const turn = await plain.session.begin();
    await turn.append({ role: 'user', content: text });
    expect(toText(await plain.session.prompt()).split(text)).toHaveLength(3);
    const [call] = plain.summarizer.requests;
    expect(
      renderTranscript(
        { previous: [], context: [], events: call?.request.events ?? [] },
        { nonce: '0123456789abcdef' },
      ),
    ).toContain('k1k');
  });

  // Brought back by a plain object as a map.
  it('traps 7, 10: prototype names are names', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
    const json: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}');
    for (const name of names) {
      const turn = await plain.session.begin({ id: name, lane: { branch: name, isolation: name } });
      await turn.append({
        id: `event ${name}`,
        role: 'assistant',
        reply: name,
        author: name,
        content: [{ type: 'toolCall', id: name, name, input: { json: json as never } }],
        asks: [{ kind: 'confirmation', id: name, call: name }],
        metadata: json as never,
      });
      await turn.append({
        role: 'tool',
        content: [{ type: 'toolResult', id: name, output: { json: json as never } }],
        answers: [name],
      });
      await turn.append({ role: 'assistant', content: plain.text(100) });
      await turn.end();
      await plain.session.idle();
    }
    expect((await plain.session.records()).map(({ record }) => record.lane.branch)).toEqual(names);
    const [first] = await plain.store.page(plain.session.key, 0, 1);
    expect(JSON.stringify(first?.event.metadata)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
    expect('polluted' in {}).toBe(false);
    expect((await plain.session.verify()).problems).toEqual([]);
  });
});
