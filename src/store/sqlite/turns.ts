/** Runs asynchronous tasks one after the other, in the order they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(task);
    // One that fails is its caller's concern, not the next one's.
    this.#last = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }
}
