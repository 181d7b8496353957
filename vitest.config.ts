import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

/**
 * A test file's name selects its project: `X.test.ts`, `X.db.test.ts`, `X.deep.test.ts`, `X.deep.db.test.ts`; and its
 * place selects `unit` or `integration`.
 */
const all = ["app/**/*.test.{ts,tsx}", "tests/**/*.test.ts"]
const withDatabase = "**/*.db.test.ts"
const deep = ["**/*.deep.test.ts", "**/*.deep.db.test.ts"]
/**
 * Tests that open sockets, start threads or processes, hash passwords, print PDFs, read hostile texts, or infer the types of all
 * modules: too slow for the suite that runs after every edit.
 */
const integration = [
  "app/billing-api/**",
  "app/billing/embedded/customers/**",
  "app/billing/external/**",
  "app/documents/document-pdf.test.ts",
  "app/gateways/**",
  "app/http/php-unserialize.test.ts",
  "app/i18n/translation-keys.test.ts",
  "app/mail/smtp/**",
  "app/provisioning/**",
  "app/security/**",
  "app/server/**",
  "tests/architecture/containers.test.ts",
  "tests/architecture/regular-expressions.test.ts",
  "tests/build/**",
  "tests/commands/supervise.test.ts",
  "tests/fakes/**",
]
/** Copies of the sources are in `test-results` (mutants) and `build` (development server) while they are tested. */
const never = ["tests/e2e/**", "build/**", "test-results/**", "node_modules/**"]

/** One PostgreSQL per run, in which suites create their own databases. */
const withPostgres = { globalSetup: ["tests/support/db/postgres.global-setup.ts"] }

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    projects: [
      {
        extends: true,
        test: { name: "unit", include: all, exclude: [...never, ...integration, withDatabase, ...deep] },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: integration.map((place) => (place.endsWith("/**") ? `${place}/*.test.{ts,tsx}` : place)),
          exclude: [...never, withDatabase, ...deep],
        },
      },
      {
        extends: true,
        test: {
          ...withPostgres,
          name: "db",
          include: [withDatabase],
          exclude: [...never, ...deep],
          setupFiles: ["tests/support/db/low-password-cost.setup.ts"],
        },
      },
      {
        extends: true,
        // Milliseconds. Bounds what hangs: with ten times the work of its cores a machine was not done in five minutes.
        test: { ...withPostgres, name: "deep", include: deep, exclude: never, testTimeout: 900_000 },
      },
    ],
    setupFiles: ["tests/support/random/test-seed.setup.ts"],
    // The test files of a worker share their imported modules: importing them for each file took half of the time.
    isolate: false,
    // One more than the cores, since many tests wait for a database or a timeout.
    maxWorkers: availableParallelism() + 1,
    // The default of a second is too short on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    restoreMocks: true,
    unstubGlobals: true,
    // Milliseconds. Both bound what hangs: on a busy machine five seconds of work have taken a minute.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
