import { describe, expect, it } from 'vitest';
import { graphemeBoundary, head, isQuestion, sentencesOf, tail, withoutMarks } from './sentences.ts';

describe('sentences', () => {
  it.each([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['設定を直す。テストする！終わり', ['設定を直す。', 'テストする！', '終わり']],
    [
      'Read https://host/page?id=1 and src/a.ts now. Then stop',
      ['Read https://host/page?id=1 and src/a.ts now.', 'Then stop'],
    ],
    ['一句话', ['一句话']],
    ['  ', []],
  ])('%s', (line, sentences) => {
    expect(sentencesOf(line)).toEqual(sentences);
  });

  it.each(['Ship it?', '出荷しますか？', '可以吗', '出荷してよろしいですか。', '«¿Seguro?»'])(
    '%s asks',
    (sentence) => {
      expect(isQuestion(sentence)).toBe(true);
    },
  );
});

describe('cutting', () => {
  it('keeps whole sentences, else words, else characters', () => {
    expect(head('First one. Second one goes on', 16)).toBe('First one.');
    expect(head('a rather unbroken phrase', 12)).toBe('a rather');
    expect(head('字'.repeat(20), 5)).toBe('字字字字字');
    expect(tail('a rather unbroken phrase', 9)).toBe('phrase');
  });

  it('never parts what a reader sees as one character', () => {
    const family = '👩‍👩‍👧‍👦';
    for (let at = 0; at <= family.length * 2; at += 1) {
      expect([0, family.length, family.length * 2]).toContain(graphemeBoundary(family + family, at));
      expect(['', family, family + family]).toContain(head(family + family, at));
      expect(['', family, family + family]).toContain(tail(family + family, at));
    }
  });
});

it('takes marks off, and leaves what only looks like one', () => {
  expect(withoutMarks('  1. **Bold** claim')).toBe('Bold claim');
  expect(withoutMarks('## - [x] done')).toBe('[x] done');
  expect(withoutMarks('**/*.ts and __init__.py')).toBe('**/*.ts and __init__.py');
});
