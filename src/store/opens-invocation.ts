import type { StoredEvent } from '../event/event.ts';

/** Whether an event is a question that may open an invocation: a user's, and no answer to a call or an ask. */
export function opensInvocation(event: Pick<StoredEvent, 'role' | 'content' | 'answers'>): boolean {
  return (
    event.role === 'user' &&
    (event.answers === undefined || event.answers.length === 0) &&
    !event.content.some((part) => part.type === 'toolResult')
  );
}
