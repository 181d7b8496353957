import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    globalSetup: ["tests/support/db/postgres.global-setup.ts"],
    include: ["app/**/*.test.ts", "app/**/*.test.tsx", "tests/**/*.test.ts"],
    // Passwords are hashed slowly on purpose, and a busy machine makes it slower.
    testTimeout: 20_000,
    exclude: ["tests/e2e/**", "node_modules/**"],
  },
})
