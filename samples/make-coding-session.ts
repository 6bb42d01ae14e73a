/**
 * Writes `coding-session.jsonl` beside this file: an invented coding session in Claude Code's format. Nothing in it is read from a
 * clock or drawn from Math.random, so every run gives the same bytes. Run it with Node 24: `node samples/make-coding-session.ts`
 */
import { writeFileSync } from 'node:fs';
import { Session } from './source/session.ts';
import { oversold } from './source/story-1-oversold.ts';
import { holds } from './source/story-2-holds.ts';
import { days } from './source/story-3-days.ts';
import { deck } from './source/story-4-deck.ts';
import { refunds } from './source/story-5-refunds.ts';
import { mail } from './source/story-6-mail.ts';
import { timetable } from './source/story-7-timetable.ts';
import { kiosk } from './source/story-8-kiosk.ts';
import { initialTests, TestSuite } from './source/test-suite.ts';
import { Workspace } from './source/workspace.ts';

const session = Session.start(new Workspace(), {
  seed: 20_260_314,
  at: '2026-03-16T00:31:07.000Z',
  version: '1.0.108',
});
const suite = new TestSuite(initialTests);
for (const story of [oversold, holds, days, deck, refunds, mail, timetable, kiosk]) story(session, suite);

const target = new URL('./coding-session.jsonl', import.meta.url);
writeFileSync(target, session.text);
