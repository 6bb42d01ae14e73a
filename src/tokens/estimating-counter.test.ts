import { assert, property, string } from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimatingCounter } from './estimating-counter.ts';
import { sharedData, stringsOf } from './shared-data.fixture.ts';

const AS_TEXT = { disallowedSpecial: new Set<string>() };
const exact = (text: string): number => countTokens(text, AS_TEXT);

describe('estimatingCounter', () => {
  it('counts the empty text 0 and any other at least 1', () => {
    expect(estimatingCounter.count('')).toBe(0);
    assert(
      property(string({ unit: 'binary', minLength: 1 }), (text) => {
        const count = estimatingCounter.count(text);
        expect(count).toBeGreaterThanOrEqual(1);
        expect(Number.isInteger(count)).toBe(true);
      }),
    );
  });

  it('never counts less for a longer text', () => {
    assert(
      property(string({ unit: 'binary' }), string({ unit: 'binary' }), (head, tail) => {
        expect(estimatingCounter.count(head + tail)).toBeGreaterThanOrEqual(estimatingCounter.count(head));
      }),
    );
  });

  it('counts whatever is repeated in proportion (a "never" of 255 made the 256th repeated kana free)', () => {
    const ratios = [
      'a',
      'A',
      ' ',
      '\n',
      '=',
      '0',
      'あ',
      '中',
      '한',
      'я',
      'é',
      '😀',
      '\ud800',
      '\u0000',
      '\uffff',
    ].map((unit) => {
      const once = estimatingCounter.count(unit.repeat(10_000));
      return [unit, once > 100 && Math.round(estimatingCounter.count(unit.repeat(100_000)) / once)];
    });
    expect(ratios).toEqual(ratios.map(([unit]) => [unit, 10]));
  });

  it('is near the tokenizer for texts of every kind', () => {
    const samples: readonly (readonly [text: string, most: number])[] = [
      ['Please fix the failing payment test, then tell me what was wrong with it. ', 0.15],
      ['{"id":"res_0042","status":"confirmed","total":1204.5,"seats":["12A","12B"]}', 0.15],
      ['if (await store.append(key, drafts)) {\n  return { ok: true };\n}\n', 0.15],
      ['ユーザーは決済モジュールのエラーを修正するように依頼しました。', 0.25],
      ['春天来了，院子里的桃花开得正好，奶奶坐在门口晒太阳，小猫趴在她脚边打盹。', 0.25],
      ['使用者要求修復支付模組中的錯誤，因為伺服器更新後請求失敗。', 0.25],
      ['Пользователь попросил исправить ошибку в модуле оплаты. ', 0.15],
      ['طلب المستخدم إصلاح الخطأ في وحدة الدفع. ', 0.2],
      ['사용자가 결제 모듈의 오류를 수정해 달라고 요청했습니다. ', 0.15],
      ['Done 🎉 the tests pass ✅ ship it 🚀 ', 0.25],
      ['31415926535897932384626433832795 ', 0.2],
      ['2024-05-27 12:30:05 1843 92.51 10000\n', 0.15],
    ];
    const off = samples
      .map(([text, most]) => ({
        text,
        most,
        error: estimatingCounter.count(text.repeat(20)) / exact(text.repeat(20)) - 1,
      }))
      .filter(({ most, error }) => Math.abs(error) > most);
    expect(off).toEqual([]);
  });

  it('reads no more than 2,000,000 characters of a text, and says about the same', () => {
    const paragraph = 'The quick brown fox jumps over the lazy dog, 42 times.\n';
    const each = estimatingCounter.count(paragraph.repeat(1_000)) / 1_000;
    const huge = estimatingCounter.count(paragraph.repeat(200_000));
    expect(huge / (each * 200_000)).toBeCloseTo(1, 2);
    // Of 11 million characters blocks of 4,000 are read: what lies between two of them changes nothing.
    const between = `${paragraph.repeat(200)}${'中'.repeat(paragraph.length)}${paragraph.repeat(199_799)}`;
    expect(estimatingCounter.count(between)).toBe(huge);
  });

  // The table of docs/decisions/0001-token-estimate.md, on the parts of it that are real.
  it.skipIf(sharedData === null)('is within 8 % in total over each real log', () => {
    const files = [
      'claude-code/compacted-large.jsonl',
      'claude-code/real-medium.jsonl',
      'claude-code/japanese.jsonl',
      'codex/chinese.jsonl',
      'codex/real-medium.jsonl',
      'memory/goodai-32k.log.jsonl',
      'memory/bfcl-customer.jsonl',
      'trajectories/tau-airline-8-longest.json',
      'trajectories/swe-agent.traj.json',
    ];
    const off = files
      .map((file) => {
        const texts = stringsOf(file, 40);
        const sum = (count: (text: string) => number): number =>
          texts.reduce((all, text) => all + count(text), 0);
        return { file, error: sum((text) => estimatingCounter.count(text)) / sum(exact) - 1 };
      })
      .filter(({ error }) => !(Math.abs(error) < 0.08));
    expect(off).toEqual([]);
  });
});
