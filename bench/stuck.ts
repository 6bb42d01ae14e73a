import type { Report } from './harness.ts';
import { playScene, type SceneRow } from './stuck/scene.ts';
import { scenes } from './stuck/scenes.ts';
import { columns } from './table.ts';

/** What compaction costs where it cannot help, or not at once: calls are few, no turn is lost, and it is said why. */
export const stuck: Report = {
  name: 'stuck',
  async run({ short, progress }) {
    const rows: SceneRow[] = [];
    for (const scene of scenes(short)) rows.push(await playScene(scene, progress));
    return { rows, text: textOf(rows) };
  },
};

const HEAD = [
  '',
  'turns',
  'model calls',
  'summarizer calls',
  'a 100 turns',
  'records',
  'refused',
  'last prompt',
  'largest',
  'budget',
  'what was seen',
];

function textOf(rows: readonly SceneRow[]): string {
  const number = (value: number | null): string => (value === null ? '–' : value.toLocaleString('en-US'));
  const lines = rows.map((row) => [
    row.scene,
    number(row.turns),
    number(row.modelCalls),
    number(row.summarizerCalls),
    number(row.callsPer100Turns),
    number(row.records),
    number(row.refusedTurns),
    number(row.promptTokens),
    number(row.mostPromptTokens),
    number(row.budgetTokens),
    Object.entries(row.reasons)
      .map(([reason, times]) => `${times} × ${reason}`)
      .concat(row.problems === 0 ? [] : [`${row.problems} problems found by verify`])
      .join(', '),
  ]);
  return columns([HEAD, ...lines], (column) => column > 0 && column < HEAD.length - 1);
}
