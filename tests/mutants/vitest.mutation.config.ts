import { defineConfig } from "vitest/config"

/** Only the unit tests of the domain: Stryker runs them in a copy of the sources. */
export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: { include: ["app/domain/**/*.test.ts"], exclude: ["**/*.deep.test.ts"], isolate: false },
})
