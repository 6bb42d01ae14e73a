/**
 * A model of the AI SDK, as far as types go here: an object of one of its providers (`ai`'s own `LanguageModel` fits), or an
 * id for its registry. Written out, so that these types compile where the optional peer `ai` is not installed.
 */
export type AiSdkModel =
  | string
  | {
      readonly specificationVersion: string;
      readonly provider: string;
      readonly modelId: string;
      // Called by the AI SDK alone.
      readonly doGenerate: unknown;
    };
