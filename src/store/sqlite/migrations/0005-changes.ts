/**
 * How often a session was changed other than by appending, which its newest event tells. A connection that finds both as
 * they were keeps what it has read, whatever others committed to other sessions.
 */
export const migration0005 = `
ALTER TABLE sessions ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
`;
