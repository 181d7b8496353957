import { afterAll, beforeAll, describe } from "vitest"
import { setUsualTexts } from "../../../../tests/fakes/whmcs-simulator/quirks"

const adapterTests = import.meta.glob(["./**/*.test.ts", "!./**/*.db.test.ts", "!./**/*.deep.test.ts"])

/** What is tested of the adapter, once more with texts that come back HTML-encoded, as some installations of WHMCS do. */
describe.each(Object.entries(adapterTests))("on encoded texts: %s", async (_, load) => {
  beforeAll(() => setUsualTexts("encoded"))
  afterAll(() => setUsualTexts("plain"))
  await load()
})
