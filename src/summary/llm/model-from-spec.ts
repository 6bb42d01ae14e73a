import { ConfigError, nameForMessage } from '../../event/errors.ts';
import type { AiSdkModel } from './ai-sdk-model.ts';

/** Providers a specification may name: the package of each and the function in it that makes a model. */
const PROVIDERS: ReadonlyMap<string, { readonly package: string; readonly make: string }> = new Map([
  ['anthropic', { package: '@ai-sdk/anthropic', make: 'anthropic' }],
  ['azure', { package: '@ai-sdk/azure', make: 'azure' }],
  ['bedrock', { package: '@ai-sdk/amazon-bedrock', make: 'bedrock' }],
  ['cohere', { package: '@ai-sdk/cohere', make: 'cohere' }],
  ['deepseek', { package: '@ai-sdk/deepseek', make: 'deepseek' }],
  ['google', { package: '@ai-sdk/google', make: 'google' }],
  ['groq', { package: '@ai-sdk/groq', make: 'groq' }],
  ['mistral', { package: '@ai-sdk/mistral', make: 'mistral' }],
  ['openai', { package: '@ai-sdk/openai', make: 'openai' }],
  ['vertex', { package: '@ai-sdk/google-vertex', make: 'vertex' }],
  ['xai', { package: '@ai-sdk/xai', make: 'xai' }],
]);

type Load = (name: string) => Promise<unknown>;

const importPackage: Load = (name) => import(name);

/**
 * The model a specification `provider/model` names, such as `openai/gpt-5-mini`: its provider's package is loaded, its key
 * is read from the environment as that package says. Throws `ConfigError`, in one line, for a specification of another form,
 * a provider that is not known, or one whose package is not installed. `load` is for tests.
 */
export async function modelFromSpec(spec: string, load: Load = importPackage): Promise<AiSdkModel> {
  const slash = spec.indexOf('/');
  const id = spec.slice(slash + 1);
  if (slash <= 0 || id === '')
    throw new ConfigError('model', 'must be written provider/model, such as openai/gpt-5-mini');
  const name = spec.slice(0, slash);
  const provider = PROVIDERS.get(name);
  if (provider === undefined) {
    throw new ConfigError(
      'model',
      `names the unknown provider ${nameForMessage(name)}; known are ${[...PROVIDERS.keys()].join(', ')}`,
    );
  }
  const module = await loadProvider(provider.package, load);
  const make: unknown =
    typeof module === 'object' && module !== null ? Reflect.get(module, provider.make) : undefined;
  const model: unknown = typeof make === 'function' ? Reflect.apply(make, undefined, [id]) : undefined;
  if (!isModel(model))
    throw new ConfigError(
      'model',
      `cannot be made by ${provider.package}: install a version for AI SDK 6 or 7`,
    );
  return model;
}

async function loadProvider(name: string, load: Load): Promise<unknown> {
  try {
    return await load(name);
  } catch (cause) {
    throw new ConfigError(
      'model',
      `needs the package ${name}, which cannot be loaded: npm install ai ${name}`,
      { cause },
    );
  }
}

function isModel(value: unknown): value is Exclude<AiSdkModel, string> {
  if (typeof value !== 'object' || value === null) return false;
  return 'specificationVersion' in value && 'modelId' in value && 'doGenerate' in value;
}
