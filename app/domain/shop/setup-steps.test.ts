import { expect, test } from "vitest"
import { setupIn } from "./setup-steps"

const setup = {
  computer: [{ "en-en": "Install VLC.", "de-de": "VLC installieren." }, { "en-en": "Open the playlist." }],
  tv: [{ "en-en": "Open the app." }],
}

test("a device has its steps in the language, and devices their own order", () => {
  expect(setupIn(setup, "en-gb")).toEqual([
    { device: "tv", steps: ["Open the app."] },
    { device: "computer", steps: ["Install VLC.", "Open the playlist."] },
  ])
})

test("a device without a step in the language is left out", () => {
  expect(setupIn(setup, "de-de")).toEqual([{ device: "computer", steps: ["VLC installieren."] }])
  expect(setupIn(setup, "es-es")).toEqual([])
  expect(setupIn({}, "en-en")).toEqual([])
})
