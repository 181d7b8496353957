import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

const everywhere = ["app/**/*.test.{ts,tsx}", "tests/**/*.test.ts"]
const withDatabase = "**/*.db.test.ts"
const never = ["tests/e2e/**", "node_modules/**"]

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: everywhere,
          exclude: [...never, withDatabase],
          // The test files of a worker share what they import: importing it anew for each took half of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "whmcs-encoded",
          include: ["app/billing/external/whmcs/**/*.test.ts"],
          exclude: [withDatabase],
          isolate: false,
          // The simulator gives texts back HTML-encoded, as some installations of WHMCS do.
          env: { WHMCS_SIMULATOR_TEXTS: "encoded" },
        },
      },
      {
        extends: true,
        test: {
          name: "db",
          include: [withDatabase],
          exclude: never,
          // One PostgreSQL for the run; suites make databases of their own in it.
          globalSetup: ["tests/support/db/postgres.global-setup.ts"],
        },
      },
    ],
    // By default, Vitest leaves one core to itself: of two, one would be idle.
    maxWorkers: availableParallelism(),
    restoreMocks: true,
    unstubGlobals: true,
    // Passwords are hashed slowly on purpose, and a busy machine makes it slower.
    testTimeout: 20_000,
  },
})
