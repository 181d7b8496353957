import { afterAll, beforeAll, describe } from "vitest"
import { setUsualTexts } from "../../../../tests/fakes/whmcs-simulator/quirks"

const adapterTests = import.meta.glob(["./**/*.test.ts", "!./**/*.db.test.ts", "!./**/*.deep.test.ts"])

/** Runs the adapter's tests again with a simulator that returns HTML-encoded texts, as some installations do. */
describe.each(Object.entries(adapterTests))("with HTML-encoded texts: %s", async (_, load) => {
  beforeAll(() => setUsualTexts("encoded"))
  afterAll(() => setUsualTexts("plain"))
  await load()
})
