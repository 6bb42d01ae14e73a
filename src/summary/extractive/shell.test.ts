import { describe, expect, it } from 'vitest';
import { commandEffects, commandFamilies, commandLine, commandWeight } from './shell.ts';

it.each([
  ['cd /srv/app && npm test 2>&1 | tail -20', 'npm test'],
  ['npm test   --   src', 'npm test -- src'],
  ['git add a.ts && git commit -m "$(cat <<\'EOF\'\nFix\nEOF\n)"', 'git add a.ts && git commit'],
  ['echo `date`', "echo 'date'"],
])('%j is shown as %s', (command, line) => {
  expect(commandLine(command)).toBe(line);
});

it('shows a long command cut at a character', () => {
  const line = commandLine(`echo ${'👩‍👩‍👧‍👦'.repeat(40)}`);
  expect(line.length).toBeLessThanOrEqual(120);
  expect(line.endsWith('👩‍👩‍👧‍👦…')).toBe(true);
});

it.each([
  ['ls -la | grep "a;b" && cat x.ts', 0],
  ['git status', 0],
  ['mkdir -p out', 1],
  ['cat a.ts && npm run build', 2],
  ['git push origin main', 2],
])('%j weighs %i', (command, weight) => {
  expect(commandWeight(command)).toBe(weight);
});

it.each([
  ['FOO=1 npm run build -- --watch', ['npm run build']],
  ['go test ./pkg/... -run X && golangci-lint run', ['go test', 'golangci-lint run']],
  ['sudo docker compose up -d', ['docker compose up']],
  ['ls', ['ls']],
])('%j is a case of %j', (command, families) => {
  expect(commandFamilies(command)).toEqual(families);
});

describe('files', () => {
  it.each([
    ["cat a.ts && sed -n '1,20p' src/b.ts", { 'a.ts': 'read', 'src/b.ts': 'read' }],
    ['sed -i "s/a/b/" src/b.ts', { 'src/b.ts': 'edited' }],
    ['rm -rf build/out TODO.md', { 'TODO.md': 'deleted' }],
    ["cat > src/new.ts <<'EOF'\nrm other.ts\nEOF\nnpm test", { 'src/new.ts': 'written' }],
    ['echo "rm a.ts; cat b.ts"', {}],
    ['npm test > /dev/null', {}],
  ])('of %j', (command, effects) => {
    expect(Object.fromEntries(commandEffects(command))).toEqual(effects);
  });
});
