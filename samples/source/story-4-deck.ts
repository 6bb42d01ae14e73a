import type { Session } from './session.ts';
import type { TestSuite } from './test-suite.ts';
import { bash, edit, edits, failing, read, refused, say, think, write } from './tools.ts';
import { ROOT, Workspace } from './workspace.ts';

/** KB-222: the vehicle deck. The user takes back a first wording; the placement that looked right is not; the day ends. */
export function deck(s: Session, suite: TestSuite): void {
  const before = s.mark();
  s.user(
    `KB-222, the vehicle deck. Count vehicles in car units: kei 0.8, car 1, van 1.2, truck 2.5, bus 3.5, and the Kamome II takes 16 units. Put the factors in src/sailing/deck.ts.`,
    4_300,
  );
  s.reply([
    think(
      `Car units are fractions: 0.8 and 1.2 summed as floats. The rule about floats is for money, but 16 units compared with a float sum has the same trouble. I'd store tenths. Look at 0007 first, read only.`,
    ),
    read('migrations/0007_vehicle_deck.sql'),
  ]);
  s.reply([
    say(
      `0007 counts slots (18). I'd keep units as whole tenths (kei 8, car 10, van 12, truck 25, bus 35 of 160), so that ten keis are exactly 80. Shall the phone desk see units or vehicles?`,
    ),
  ]);

  s.rewind(before);
  s.user(
    `KB-222, the vehicle deck. Use length, in whole decimetres, not car units: drivers give metres on the phone, and "0.8 of a car" is nothing anybody can check on the quay. Kamome II has two lanes of 42.0 m, that is 420 dm each, with 5 dm between vehicles in a lane. Defaults by kind: kei 34, car 48, van 54, truck 85, bus 120. Read migrations/0007 but leave it; new table and column go into 0010. A function in src/sailing/deck.ts that says whether a set of vehicles fits, and reserveSeats refuses with DECK_FULL.`,
    75,
    ['src/sailing/deck.ts', 'src/booking/reserve.ts', 'src/booking/types.ts', 'src/http/routes/bookings.ts'],
  );
  s.reply(
    [
      think(
        `Two lanes, item lengths, a gap between neighbours: bin packing with two bins. First fit decreasing is the usual heuristic. Is it exact for two bins? No, but maybe for these sizes. A test that compares with brute force up to 12 vehicles will tell. 0007 stays; lanes in a new table deck_lanes, length_dm on vehicles.`,
      ),
      read('migrations/0007_vehicle_deck.sql'),
      read('migrations/0006_vehicles.sql'),
      read('src/booking/types.ts', 1, 40),
    ],
    [1, 0, 2],
  );
  s.reply([
    write('migrations/0010_vehicle_length.sql'),
    write('src/sailing/deck.ts'),
    write('test/sailing/deck.test.ts'),
    edit(
      'src/booking/types.ts',
      `  kind: 'kei' | 'car' | 'van' | 'truck' | 'bus';\n}`,
      `  kind: 'kei' | 'car' | 'van' | 'truck' | 'bus';\n  /** As measured or as the driver says. Without it, the usual length of the kind. */\n  lengthDm?: number;\n}`,
    ),
    refused(
      edit(
        'src/http/routes/bookings.ts',
        `  kind: z.enum(['kei', 'car', 'van', 'truck', 'bus']),`,
        `  kind: z.enum(['kei', 'car', 'van', 'truck', 'bus']),\n  lengthDm: z.number().int().min(20).max(160).optional(),`,
      ),
      'The file has changed since it was read. Read it again before editing it.',
    ),
  ]);
  suite.add(
    'test/sailing/deck.test.ts',
    'placeOnDeck > puts eight cars and no ninth in a lane',
    'placeOnDeck > takes a bus and eleven cars',
    'placeOnDeck > counts the gap between vehicles only',
    'placeOnDeck > finds room whenever there is room, for 400 random decks',
  );
  s.reply([
    read('src/http/routes/bookings.ts', 14, 10),
    failing(
      'npx vitest run test/sailing/deck.test.ts',
      'Run the deck tests',
      suite.run('default', {
        only: /sailing\/deck/,
        script: false,
        failures: [
          {
            file: 'test/sailing/deck.test.ts',
            test: 'placeOnDeck > finds room whenever there is room, for 400 random decks',
            error: `AssertionError: expected [ [ 89, 97, 73, 49, 41, 73, …(5) ], false ] to deeply equal [ [ 89, 97, 73, 49, 41, 73, …(5) ], true ]

- Expected
+ Received

  [
    [
      89,
      97,
      73,
      49,
      41,
      73,
      41,
      97,
      89,
      89,
      49,
    ],
-   true,
+   false,
  ]
`,
            at: '.toEqual([lengths, anyPlacementFits(KAMOME, lengths)])',
          },
        ],
      }),
      1_900,
    ),
  ]);
  s.reply([
    think(
      `So first fit decreasing is not exact here: 11 vehicles, 787 dm plus gaps 45 = 832 of 840, fits but is refused. How often? 7 of 400 in the random decks. For a captain, turning away a car that fits is a real loss. Two lanes: subset sums of the first lane, at most 425 sums, exact and cheap. Give each vehicle its gap and each lane one extra gap.`,
    ),
    say(
      `Longest-first turns away decks that do fit (7 of the 400). With two lanes every sum the first lane can reach is at most 425 values, so I'll make it exact.`,
    ),
    bash(
      `cat > /tmp/count-decks.ts <<'EOF'
import { placeOnDeck } from '${ROOT}/src/sailing/deck.ts';
import { anyPlacementFits, randomDecks } from '${ROOT}/test/sailing/deck.test.ts';
const wrong = randomDecks(400).filter((deck) => anyPlacementFits([420, 420], deck) && !placeOnDeck([420, 420], deck));
console.log({ refusedButFits: wrong.length, of: 400 });
EOF
npx vite-node /tmp/count-decks.ts`,
      'Count how often longest-first is wrong',
      '{ refusedButFits: 7, of: 400 }',
      640,
    ),
    write('src/sailing/deck.ts', Workspace.written('src/sailing/deck-exact.ts')),
    edit(
      'src/http/routes/bookings.ts',
      `  kind: z.enum(['kei', 'car', 'van', 'truck', 'bus']),`,
      `  kind: z.enum(['kei', 'car', 'van', 'truck', 'bus']),\n  lengthDm: z.number().int().min(20).max(160).optional(),`,
    ),
  ]);
  s.reply([
    bash(
      'npx vitest run test/sailing/deck.test.ts',
      'Run the deck tests again',
      suite.run('default', { only: /sailing\/deck/, script: false }),
      1_800,
    ),
    edits(
      'src/booking/reserve.ts',
      [
        `    const fareYen = quoteFare({`,
        `    if (request.vehicles.length > 0) {
      const { lanes, lengths } = await deckOf(tx, sailing.id);
      const wantedDm = request.vehicles.map(lengthOf);
      if (!placeOnDeck(lanes, [...lengths, ...wantedDm])) {
        throw new BookingError('DECK_FULL', { sailingId: sailing.id, wantedDm });
      }
    }
    const fareYen = quoteFare({`,
      ],
      [
        `    await tx.query('INSERT INTO vehicles (booking_id, plate, kind) VALUES ($1, $2, $3)', [
      bookingId,
      vehicle.plate,
      vehicle.kind,
    ]);`,
        `    await tx.query('INSERT INTO vehicles (booking_id, plate, kind, length_dm) VALUES ($1, $2, $3, $4)', [
      bookingId,
      vehicle.plate,
      vehicle.kind,
      lengthOf(vehicle),
    ]);`,
      ],
      [
        `async function insertVehicles(`,
        `const usualLengthDm: Record<Vehicle['kind'], number> = { kei: 34, car: 48, van: 54, truck: 85, bus: 120 };

function lengthOf(vehicle: Vehicle): number {
  return vehicle.lengthDm ?? usualLengthDm[vehicle.kind];
}

/** The lanes of a sailing's vessel and what stands in them. Call it with the sailing locked. */
async function deckOf(tx: Tx, sailingId: string): Promise<{ lanes: number[]; lengths: number[] }> {
  const lanes = await tx.query<{ length_dm: number }>(
    \`SELECT l.length_dm FROM sailings s JOIN deck_lanes l ON l.vessel_id = s.vessel_id WHERE s.id = $1 ORDER BY l.lane\`,
    [sailingId],
  );
  const standing = await tx.query<{ length_dm: number }>(
    \`SELECT v.length_dm FROM bookings b JOIN vehicles v ON v.booking_id = b.id
      WHERE b.sailing_id = $1 AND (b.status = 'confirmed' OR (b.status = 'pending' AND b.hold_expires_at > $2))
      ORDER BY b.id\`,
    [sailingId, now()],
  );
  return { lanes: lanes.rows.map((row) => row.length_dm), lengths: standing.rows.map((row) => row.length_dm) };
}

async function insertVehicles(`,
      ],
      [
        `import { lockSailing, remainingCapacity } from '../sailing/capacity.ts';`,
        `import { lockSailing, remainingCapacity } from '../sailing/capacity.ts';\nimport { placeOnDeck } from '../sailing/deck.ts';`,
      ],
    ),
  ]);
  suite.add('test/http/bookings.test.ts', 'POST /bookings > 409 when the deck is full');
  s.reply([
    bash(
      'npm test && npm run typecheck',
      'Run everything',
      (moment) => `${suite.run('dot')(moment)}\n\n> kamome-booking@1.14.0 typecheck\n> tsc --noEmit\n`,
      13_300,
    ),
  ]);
  s.reply([
    say(
      `KB-222 works: lanes and lengths are in 0010, 0007 is untouched, and placeOnDeck is exact where longest-first refused 7 of 400 decks that fit. npm test passes, 112 of 112; not committed yet.`,
    ),
  ]);

  s.user(`How many ordinary cars fit beside one 12 m bus? The captain says 13, the old rule said 14.`, 410);
  s.reply([
    bash(
      `node --input-type=module -e "
const { placeOnDeck } = await import('./src/sailing/deck.ts');
for (const cars of [11, 12, 13, 14]) console.log(cars, placeOnDeck([420, 420], [120, ...Array(cars).fill(48)]) !== undefined);
"`,
      'Try 11 to 14 cars beside a bus',
      '11 true\n12 true\n13 true\n14 false',
      190,
    ),
  ]);
  s.reply([
    say(
      `13, the captain is right: the bus and 5 cars take 385 of 420 dm in one lane, 8 cars 419 of 420 in the other.`,
    ),
  ]);

  s.user(
    `Love it 🚢 Commit. Then write docs/handover.md for tomorrow, ten lines at most: what is done, what is not, what's open. I'm off at five.`,
    3_900,
    ['docs/handover.md'],
  );
  s.reply([
    bash(
      'git status --short && git diff --stat',
      'See what is uncommitted',
      ({ workspace }) => workspace.status(),
      50,
    ),
    bash(
      `git add -A && git commit -m "KB-222 Measure the vehicle deck in decimetres"`,
      'Commit',
      ({ workspace }) =>
        workspace.commit('kb-214-oversold', 'c9d3e15', 'KB-222 Measure the vehicle deck in decimetres'),
      130,
    ),
    write('docs/handover.md'),
  ]);
  s.reply([
    say(
      `Committed (c9d3e15), and docs/handover.md is written but not committed. One question stands in it for Saeki-san: whether the phone desk may sell past the deck limit on stand-by. お疲れさまでした 🌙`,
    ),
  ]);
}
