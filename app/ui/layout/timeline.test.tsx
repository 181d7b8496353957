import { expect, test } from "vitest"
import { placedAt } from "../../../tests/fixtures/offer"
import { rendered } from "../../../tests/fixtures/render-screen"
import { textOf } from "../../../tests/support/html/html-tree"
import { Timeline } from "./timeline"

const provisioned = { kind: "provisioned", at: placedAt, amount: null, reference: null } as const
const shown = { events: [provisioned], timeZone: "Europe/Madrid", ahead: [] }

test("a service is ready to watch, a reseller's account is ready", async () => {
  expect(textOf(await rendered(<Timeline {...shown} />))).toContain("Ready to watch")
  const text = textOf(await rendered(<Timeline {...shown} ready="Reseller account ready" />))
  expect(text).toContain("Reseller account ready")
  expect(text).not.toContain("watch")
})
