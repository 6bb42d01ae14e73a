// Removes the named folders of the checkout, so that a build never ships a file whose source is gone.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
for (const name of process.argv.slice(2)) {
  rmSync(fileURLToPath(new URL(name, root)), { recursive: true, force: true });
}
