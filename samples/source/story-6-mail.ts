import { stagingLog } from './outputs.ts';
import type { Session } from './session.ts';
import type { TestSuite } from './test-suite.ts';
import { bash, edit, failing, grep, read, say, think, write } from './tools.ts';

/** KB-226 and KB-228: what the mails say, and subjects cut through a family. KB-229: webhooks refused, and a log that talks too much. */
export function mail(s: Session, suite: TestSuite): void {
  s.user(
    `欠航メールの文面を決めたよ。件名は「【欠航】3月20日 07:40発 鴎港→星島便」の形、本文は佐伯さんの文で：

「（便名）は、強風のため欠航となりました。ご迷惑をおかけし、誠に申し訳ございません。お支払いいただいた○円は、手数料を含めて全額返金いたします。お手続きは不要です。ご返金まで5営業日ほどかかります。」

最後に「鴎ライン　鴎港営業所（9時～17時）」。港の名前は KMM＝鴎港、HSJ＝星島、OKU＝沖ノ浦。`,
    2_350,
    ['src/notify/wording.ts', 'src/notify/mail.ts'],
  );
  s.reply([
    think(
      `Wording in its own file, with the sailing's route and departure. The outbox data needs route and departs_at. sendMail fills the template; so far it dumps key: value. Reply in Japanese.`,
    ),
    write('src/notify/wording.ts'),
    edit(
      'src/notify/mail.ts',
      `  const body = Object.entries(values)
    .map(([key, value]) => key + ': ' + String(value))
    .join('\\n');
  await transport.sendMail({ from: 'noreply@kamome-line.example', to, subject: subjectLine(subjects[template]), text: body });`,
      `  const { subject, body } = worded(template, values);
  await transport.sendMail({ from: 'noreply@kamome-line.example', to, subject: subjectLine(subject), text: body });`,
    ),
    edit(
      'src/notify/mail.ts',
      `export async function sendMail(`,
      `function worded(template: Template, values: Record<string, unknown>): { subject: string; body: string } {
  if (template === 'sailing-cancelled') {
    const sailing = { route: String(values.route), departsAt: new Date(String(values.departsAt)) };
    return { subject: cancelledSubject(sailing), body: cancelledBody(sailing, Number(values.refundYen)) };
  }
  const body = Object.entries(values).map(([key, value]) => key + ': ' + String(value)).join('\\n');
  return { subject: subjects[template], body };
}

export async function sendMail(`,
    ),
    edit(
      'src/notify/mail.ts',
      `import { subjectLine } from './subject.ts';`,
      `import { subjectLine } from './subject.ts';\nimport { cancelledBody, cancelledSubject } from './wording.ts';`,
    ),
    edit(
      'src/booking/cancel.ts',
      `'sailing-cancelled', { reference: booking.reference, refundYen });`,
      `'sailing-cancelled', {
          reference: booking.reference,
          refundYen,
          route: sailing.route,
          departsAt: sailing.departs_at,
        });`,
    ),
    edit('src/booking/cancel.ts', `RETURNING departs_at'`, `RETURNING route, departs_at'`),
  ]);
  suite.add(
    'test/notify/wording.test.ts',
    'sailingName > is date, time and ports in Japanese',
    'cancelledBody > names the refund with a comma',
    'cancelledSubject > fits into 30 characters',
  );
  s.reply([
    write(
      'test/notify/wording.test.ts',
      `import { describe, expect, it } from 'vitest';
import { SUBJECT_LIMIT } from '../../src/notify/subject.ts';
import { cancelledBody, cancelledSubject, sailingName } from '../../src/notify/wording.ts';

const sailing = { route: 'KMM-HSJ', departsAt: new Date('2026-03-20T07:40:00+09:00') };

describe('sailingName', () => {
  it('is date, time and ports in Japanese', () => {
    expect(sailingName(sailing)).toBe('3月20日 07:40発 鴎港→星島便');
  });
});

describe('cancelledBody', () => {
  it('names the refund with a comma', () => {
    expect(cancelledBody(sailing, 12490)).toContain('お支払いいただいた12,490円は、手数料を含めて全額返金いたします。');
  });
});

describe('cancelledSubject', () => {
  it('fits into 30 characters', () => {
    const longest = { route: 'OKU-KMM', departsAt: new Date('2026-12-31T19:05:00+09:00') };
    expect(cancelledSubject(longest).length).toBeLessThanOrEqual(SUBJECT_LIMIT);
  });
});
`,
    ),
    bash(
      `npm test && git add -A && git commit -m "KB-226 Wording of the cancellation mail"`,
      'Run everything and, if it passes, commit',
      (moment) =>
        [
          suite.run('dot')(moment),
          moment.workspace.commit('kb-214-oversold', '6d15be4', 'KB-226 Wording of the cancellation mail'),
        ].join('\n'),
      9_200,
    ),
  ]);
  s.reply([
    say(
      `文面を src/notify/wording.ts に入れ、コミットしました（6d15be4）。件名は一番長い「【欠航】12月31日 19:05発 沖ノ浦→鴎港便」でも30文字に収まります。npm test は 123 件すべて通っています。`,
    ),
  ]);

  s.user(
    `Now KB-228. Marketing put emoji into the newsletter subjects and they come out broken: "All islands, one day! 👨‍👩‍👧‍👦 family pass 🎫⛴️" arrives as a father, a mother and a box; and "🧑‍✈️ 船長と行く星島ナイトクルーズ参加者募集中です🌌✨" ends in a question mark. I think subjectLine cuts in the middle of things. Fix it so a cut never splits what a reader sees as one character.`,
    1_420,
    ['src/notify/subject.ts'],
  );
  s.reply(
    [
      read('src/notify/subject.ts'),
      bash(
        `node --input-type=module -e '
import { subjectLine } from "./src/notify/subject.ts";
const show = (s) => console.log(s.length, [...s].length, [...new Intl.Segmenter("ja", { granularity: "grapheme" }).segment(s)].length, JSON.stringify(s.slice(-4)).replace(/[^ -~]/g, (c) => "\\\\u" + c.charCodeAt(0).toString(16)));
show("👨‍👩‍👧‍👦"); show("🧑‍✈️"); show("⛴️"); show("か\\u3099");
show(subjectLine("今年も夏がやって来ます！家族みんなで星島へ出かけよう👨‍👩‍👧‍👦🎫"));
'`,
        'Count code units, code points and graphemes, and look at where the cut falls',
        `11 7 1 "\\udc67\\u200d\\ud83d\\udc66"
5 4 1 "\\uddd1\\u200d\\u2708\\ufe0f"
2 2 1 "\\u26f4\\ufe0f"
2 2 1 "\\u304b\\u3099"
30 29 28 "\\ud83d\\udc68\\u200d\\u2026"`,
        230,
      ),
    ],
    [1, 0],
  );
  s.reply([
    think(
      `The family is 11 UTF-16 units, 7 code points, 1 grapheme. slice(0, 29) cut it after "👨‍", leaving a dangling joiner. Intl.Segmenter with granularity grapheme; no dependency. And か + U+3099 (macOS file names) is one grapheme as well. The limit is 30 full-width characters; count graphemes.`,
    ),
    edit(
      'src/notify/subject.ts',
      `  if (flat.length <= SUBJECT_LIMIT) return flat;
  return flat.slice(0, SUBJECT_LIMIT - 1) + '…';`,
      `  const seen = [...graphemes.segment(flat)];
  if (seen.length <= SUBJECT_LIMIT) return flat;
  return flat.slice(0, seen[SUBJECT_LIMIT - 1]?.index) + '…';`,
    ),
    edit(
      'src/notify/subject.ts',
      `export const SUBJECT_LIMIT = 30;`,
      `export const SUBJECT_LIMIT = 30;

/** What a reader sees as one character: 👨‍👩‍👧‍👦 is eleven code units, seven code points, and one of these. */
const graphemes = new Intl.Segmenter('ja', { granularity: 'grapheme' });`,
    ),
    bash(
      `cat >> test/notify/subject.test.ts <<'EOF'

describe('what a reader sees as one character', () => {
  it.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['a captain', '🧑‍✈️'],
    ['a pirate flag', '🏴‍☠️'],
    ['a flag', '🇯🇵'],
    ['a decomposed が', 'か\\u3099'],
    ['a skin tone', '👍🏽'],
  ])('is never split: %s', (_name, one) => {
    for (let before = 26; before <= 30; before++) {
      const cut = subjectLine('あ'.repeat(before) + one + '終わり。'.repeat(3));
      expect(cut.endsWith('…')).toBe(true);
      const tail = cut.slice(0, -1).replaceAll('あ', '');
      expect(tail === '' || tail.startsWith(one)).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
    }
  });
});
EOF
npm test`,
      'Add tests and run the suite',
      (moment) => {
        for (const name of [
          'a family',
          'a captain',
          'a pirate flag',
          'a flag',
          'a decomposed が',
          'a skin tone',
        ]) {
          suite.add(
            'test/notify/subject.test.ts',
            `what a reader sees as one character > is never split: ${name}`,
          );
        }
        return suite.run('dot')(moment);
      },
      9_300,
    ),
  ]);
  s.reply([
    bash(
      `git add -A && git commit -m "KB-228 Cut subjects between graphemes"`,
      'Commit',
      ({ workspace }) =>
        workspace.commit('kb-214-oversold', 'a41c0d2', 'KB-228 Cut subjects between graphemes'),
      110,
    ),
  ]);
  s.reply([
    say(
      `KB-228 is committed (a41c0d2): subjectLine counts and cuts graphemes with Intl.Segmenter, so 👨‍👩‍👧‍👦, 🧑‍✈️, 🏴‍☠️ and a decomposed が stay whole or go whole. npm test passes, 129 of 129.`,
    ),
  ]);

  s.user(
    `KB-229, urgent: the payment provider says staging refuses their webhooks since they went to pretty-printed JSON this morning, a bit after seven. Log's in logs/staging-2026-03-17.jsonl. What's wrong?`,
    2_900,
  );
  s.reply(
    [
      bash(
        `grep -c 'webhook rejected' logs/staging-2026-03-17.jsonl; cat logs/staging-2026-03-17.jsonl`,
        'Read the staging log of this morning',
        () => `${stagingLog().split('webhook rejected').length - 1}\n${stagingLog()}`,
        70,
      ),
      read('src/payments/webhook.ts'),
      read('src/http/server.ts'),
    ],
    [2, 1, 0],
  );
  s.reply([
    think(
      `server.ts parses application/json into an object and webhook.ts signs JSON.stringify(request.body). That equals the raw body only as long as the provider sends compact JSON in the same key order. Pretty-printed: whitespace is lost, the HMAC differs. And the warn line logs process.env, which includes the API key. I must not repeat it. Both need fixing; ask for rotation.`,
    ),
    say(
      `webhook.ts signs JSON.stringify(request.body), not the bytes that were sent; with pretty-printed JSON the two differ, so every signature fails. Worse: the same branch logs process.env, so the payment API key stands in that log in clear. It should be rotated, whatever we change.`,
    ),
  ]);

  s.user(
    `Ouch. I'm rotating the key now, and don't write it anywhere, not in a commit, not in a test, not back to me. Sign the raw bytes, drop env from the log line, and let pino redact anything that looks like a key or an authorization header. Add what a rejected webhook may log: the header's t and the body length, nothing else.`,
    38,
    ['src/http/server.ts', 'src/payments/webhook.ts', 'src/log.ts'],
  );
  s.reply([
    think(
      `Raw body: the content type parser gets the string; keep it. Fastify: parseAs 'buffer' and stash the buffer on the request. Only webhooks need it: a parser registered inside the webhook plugin's scope is encapsulated, so the others keep parsed JSON. So in webhookRoutes: addContentTypeParser('application/json', { parseAs: 'buffer' }, (req, body, done) => done(null, body)).`,
    ),
    edit(
      'src/payments/webhook.ts',
      `  app.post('/payment', async (request, reply) => {
    const header = String(request.headers['x-pay-signature'] ?? '');
    const body = JSON.stringify(request.body);
    if (!signed(header, body)) {
      log.warn({ header, env: process.env }, 'webhook rejected');
      return reply.code(400).send({ code: 'BAD_SIGNATURE' });
    }
    const event = request.body as PaymentEvent;`,
      `  // In this scope the body stays what was sent: the provider signs bytes, not our idea of their JSON (KB-229).
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.post('/payment', async (request, reply) => {
    const header = String(request.headers['x-pay-signature'] ?? '');
    const body = request.body as Buffer;
    if (!signed(header, body)) {
      log.warn({ t: /\\bt=(\\d{1,12})/.exec(header)?.[1], length: body.length }, 'webhook rejected');
      return reply.code(400).send({ code: 'BAD_SIGNATURE' });
    }
    const event = JSON.parse(body.toString('utf8')) as PaymentEvent;`,
    ),
    edit(
      'src/payments/webhook.ts',
      `function signed(header: string, body: string): boolean {`,
      `function signed(header: string, body: Buffer): boolean {`,
    ),
    edit(
      'src/payments/webhook.ts',
      `.update(at + '.' + body).digest('hex');`,
      `.update(at + '.').update(body).digest('hex');`,
    ),
    edit(
      'src/log.ts',
      `  timestamp: () =>`,
      `  redact: {
    paths: ['env', '*.env', 'headers.authorization', '*.headers.authorization', '*.apiKey', '*.secret', '*.password'],
    censor: '[redacted]',
  },
  timestamp: () =>`,
    ),
    grep('process\\.env[^.]', 'src/'),
  ]);
  suite.add(
    'test/payments/webhook.test.ts',
    'POST /webhooks/payment > takes pretty-printed JSON',
    'POST /webhooks/payment > logs t and the length of a rejected one and nothing else',
  );
  const present = `FastifyError: Content type parser 'application/json' already present.
 ❯ Object.addContentTypeParser node_modules/fastify/lib/contentTypeParser.js:358:27
 ❯ webhookRoutes src/payments/webhook.ts:20:7
Serialized Error: { code: 'FST_ERR_CTP_ALREADY_PRESENT', statusCode: 500 }`;
  s.reply([
    failing(
      'npx vitest run test/payments --reporter=dot',
      'Run the webhook tests',
      suite.run('dot', {
        only: /payments/,
        script: false,
        failures: suite
          .names('test/payments/webhook.test.ts')
          .map((test) => ({ file: 'test/payments/webhook.test.ts', test, error: present })),
      }),
      1_900,
    ),
  ]);
  s.reply([
    think(
      `A plugin's scope inherits the parsers of its parent, and server.ts sets one for application/json, so adding a second is refused. removeAllContentTypeParsers() in the child scope clears what it inherited and leaves the parent's alone.`,
    ),
    edit(
      'src/payments/webhook.ts',
      `  app.addContentTypeParser(`,
      `  app.removeAllContentTypeParsers();\n  app.addContentTypeParser(`,
    ),
    bash(
      'npm test && npm run typecheck',
      'Run everything',
      (moment) => `${suite.run('dot')(moment)}\n\n> kamome-booking@1.14.0 typecheck\n> tsc --noEmit\n`,
      13_800,
    ),
  ]);
  s.reply([
    bash(
      `git add src test && git commit -m "KB-229 Check webhook signatures over the bytes sent, and log no environment"`,
      'Commit, without the log',
      ({ workspace }) =>
        workspace.commit(
          'kb-214-oversold',
          'd8821f6',
          'KB-229 Check webhook signatures over the bytes sent, and log no environment',
          /^(src|test)\//,
        ),
      130,
    ),
  ]);
  s.reply([
    say(
      `KB-229 is committed (d8821f6), the log file is not in it: signatures are checked over the raw bytes, a rejected webhook logs only t and the length, and pino redacts env, authorization, apiKey, secret and password. npm test passes, 131 of 131. Staging needs the new key before the next deploy.`,
    ),
  ]);
}
