import { afterAll, beforeAll, describe } from "vitest"
import { setUsualTexts } from "../../../../tests/fakes/whmcs-simulator/quirks"

/** Runs the mirror's contract again with a simulator that returns HTML-encoded texts, as some installations do. */
describe("with HTML-encoded texts", async () => {
  beforeAll(() => setUsualTexts("encoded"))
  afterAll(() => setUsualTexts("plain"))
  await import("./mirror.db.test")
})
