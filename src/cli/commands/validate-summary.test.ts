import { afterAll, expect, it } from 'vitest';
import { cli, Folder } from '../cli.fixture.ts';

const DOCUMENT =
  '<conversation_summary><goal>Ship 1.2 😀</goal><constraints/><decisions/><state>a &amp; b</state><open_items/></conversation_summary>';

const folder = new Folder();
afterAll(() => folder.remove());

const json = async (...input: readonly (string | readonly number[])[]) => {
  const bytes = input.map((piece) => Buffer.from(piece as string));
  const { code, out } = await cli(['validate-summary', '-', '--json'], {}, bytes);
  return { code, ...(JSON.parse(out) as object) };
};

it('says what a document holds', async () => {
  const path = folder.file('summary.xml', DOCUMENT);
  expect(await cli(['validate-summary', path])).toEqual({
    code: 0,
    err: '',
    out: 'ok\ngoal: 10 characters\nconstraints: 0 characters\ndecisions: 0 characters\nstate: 5 characters\nopen_items: 0 characters\n',
  });
  expect(await json(DOCUMENT)).toEqual({ code: 0, ok: true, reason: null, offset: null });
});

it('reads standard input when no file is named, in whatever pieces it comes', async () => {
  const bytes = Buffer.from(DOCUMENT);
  const at = bytes.indexOf(Buffer.from('😀')) + 2;
  const ran = await cli(['validate-summary'], {}, [bytes.subarray(0, at), bytes.subarray(at)]);
  expect(ran).toMatchObject({ code: 0, err: '' });
});

it('says why one is none, and where', async () => {
  const path = folder.file('broken.xml', DOCUMENT.replace('<state>', '\n  <b/><state>'));
  expect(await cli(['validate-summary', path])).toEqual({
    code: 1,
    out: `xml_structure at offset ${DOCUMENT.indexOf('<state>') + 3} (line 2, column 3)\n`,
    err: 'palimpsest: the document is no summary: xml_structure\n',
  });
});

it.each([
  ['', 'xml_root', 0],
  [`\ufeff${DOCUMENT}`, 'xml_structure', 0],
  [`${DOCUMENT}\n`, 'xml_structure', DOCUMENT.length],
  [DOCUMENT.replace('&amp;', '&'), 'xml_syntax', DOCUMENT.indexOf('&')],
  [DOCUMENT.replace('a &amp; b', ''), 'xml_content', DOCUMENT.indexOf('a &')],
])('prints the verdict as JSON: %j', async (document, reason, offset) => {
  expect(await json(document)).toEqual({ code: 1, ok: false, reason, offset });
});

// Fails when bytes that are no UTF-8 are read as U+FFFD: a character that a summary may hold.
it('refuses what is no UTF-8, where it is none', async () => {
  const [head, tail] = DOCUMENT.split('Ship') as [string, string];
  expect(await json(`${head}\ufffd\ufffd`, [0xff], tail)).toMatchObject({
    reason: 'xml_syntax',
    offset: head.length + 2,
  });
  expect(await json(`${head}é`, [0xed, 0xa0, 0x80], tail)).toMatchObject({
    reason: 'xml_syntax',
    offset: head.length + 1,
  });
  expect(await json(`x${head}`, [0xff], tail)).toMatchObject({ reason: 'xml_structure', offset: 0 });
  expect(await json(`${head}\ufffd`, tail)).toMatchObject({ ok: true });
});

it('fails in one line on a file that is not there', async () => {
  const { code, out, err } = await cli(['validate-summary', folder.at('none.xml')]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^palimpsest: [^\n]+none\.xml: there is no such file or folder\n$/u);
});
