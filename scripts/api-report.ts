// Writes (--write) or checks the report of each entry point's public API, etc/api/*.api.md, from the built
// declarations in dist/. A change of the surface thus shows in review as a diff of a report.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

const root = fileURLToPath(new URL('../', import.meta.url));
const write = process.argv.includes('--write');
const reports = join(root, 'etc/api');
const temporary = join(root, '.tmp/api');

interface Entry {
  readonly report: string;
  readonly types: string;
}

/** The entry points of package.json that have types: `./summary` becomes `summary.api.md`. */
function entries(): Entry[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types: string }>;
  };
  return Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [{ report: path === '.' ? 'index' : path.slice(2).replaceAll('/', '-'), types: target.types }],
  );
}

/** Runs API Extractor on one entry point; returns what is wrong with it, if anything. */
function report(entry: Entry): string | undefined {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, entry.types),
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2024',
            lib: ['es2024', 'esnext'],
            module: 'nodenext',
            moduleResolution: 'nodenext',
            types: ['node'],
            strict: true,
            skipLibCheck: true,
          },
          files: [entry.types],
        },
      },
      apiReport: {
        enabled: true,
        reportFolder: reports,
        reportTempFolder: temporary,
        reportFileName: `${entry.report}.api.md`,
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.None },
          // In the report, where a reviewer sees it: a type that a signature needs and no entry point exports.
          'ae-forgotten-export': { logLevel: ExtractorLogLevel.Warning, addToApiReportFile: true },
        },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
  });
  const result = Extractor.invoke(config, {
    localBuild: write,
    messageCallback: (message) => {
      // One line of ours says all that is needed.
      if (message.logLevel !== ExtractorLogLevel.Error) message.handled = true;
    },
  });
  if (result.errorCount > 0) return 'has errors';
  if (result.apiReportChanged && !write) return 'differs from the built API: run `npm run api` and commit';
  return undefined;
}

mkdirSync(reports, { recursive: true });
rmSync(temporary, { recursive: true, force: true });
mkdirSync(temporary, { recursive: true });

const known = entries();
let failures = 0;
for (const entry of known) {
  const wrong = existsSync(join(root, entry.types))
    ? report(entry)
    : `is missing: ${entry.types} was not built`;
  if (wrong !== undefined) {
    failures += 1;
    console.error(`etc/api/${entry.report}.api.md ${wrong}`);
  }
}
for (const file of readdirSync(reports)) {
  if (!file.endsWith('.api.md') || known.some((entry) => `${entry.report}.api.md` === file)) continue;
  if (write) rmSync(join(reports, file));
  else {
    failures += 1;
    console.error(`etc/api/${basename(file)} belongs to no entry point`);
  }
}
console.log(`${known.length} API reports ${write ? 'written' : 'checked'}, ${failures} wrong`);
process.exitCode = failures > 0 ? 1 : 0;
