import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

/** The name of a test file says where it runs: `X.test.ts`, `X.db.test.ts`, `X.deep.test.ts`, `X.deep.db.test.ts`. */
const all = ["app/**/*.test.{ts,tsx}", "tests/**/*.test.ts"]
const withDatabase = "**/*.db.test.ts"
const deep = ["**/*.deep.test.ts", "**/*.deep.db.test.ts"]
/** Copies of the sources in which rules are broken are in `test-results` for as long as they are tested. */
const never = ["tests/e2e/**", "test-results/**", "node_modules/**"]

/** One PostgreSQL for the run; suites make databases of their own in it. */
const withPostgres = { globalSetup: ["tests/support/db/postgres.global-setup.ts"] }

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    projects: [
      {
        extends: true,
        test: { name: "unit", include: all, exclude: [...never, withDatabase, ...deep] },
      },
      {
        extends: true,
        test: { ...withPostgres, name: "db", include: [withDatabase], exclude: [...never, ...deep] },
      },
      {
        extends: true,
        test: { ...withPostgres, name: "deep", include: deep, exclude: never, testTimeout: 120_000 },
      },
    ],
    setupFiles: ["tests/support/random/test-seed.setup.ts"],
    // The test files of a worker share what they import: importing it anew for each took half of the time.
    isolate: false,
    // By default, Vitest leaves one core to itself: of two, one would be idle.
    maxWorkers: availableParallelism(),
    restoreMocks: true,
    unstubGlobals: true,
    // Passwords are hashed slowly on purpose, and a busy machine makes it slower.
    testTimeout: 60_000,
    // Making a PostgreSQL cluster takes a second of an idle core.
    hookTimeout: 60_000,
  },
})
