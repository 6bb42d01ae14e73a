// Preloaded with `node --import`: resolves `palimpsest` and its subpaths to the sources of this checkout, by the
// `exports` of package.json, so that an example runs as a user would write it and needs no build.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const root = new URL('../../', import.meta.url);
const manifest: { exports: Record<string, string | { default: string }> } = JSON.parse(
  readFileSync(new URL('package.json', root), 'utf8'),
);

const sources = new Map<string, string>();
for (const [path, target] of Object.entries(manifest.exports)) {
  if (typeof target === 'string') continue;
  const source = target.default.replace(/^\.\/dist\//, './src/').replace(/\.js$/, '.ts');
  sources.set(`palimpsest${path.slice(1)}`, new URL(source, root).href);
}

registerHooks({
  resolve: (specifier, context, next) => next(sources.get(specifier) ?? specifier, context),
});
