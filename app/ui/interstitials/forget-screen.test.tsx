import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { textOf } from "../../../tests/support/html/html-tree"
import { SupportContext } from "../layout/support-link"
import { ForgetScreen } from "./forget-screen"

test.each([
  ["a link by email", true, "sign in with a link by email or with your password"],
  ["support", false, "a sign-in link from support"],
])("says how to come back: by %s", async (_, hasMail, way) => {
  const shown = { action: "/checkout/success?forget", cancelHref: "/checkout/success", hasMail }
  expect(
    textOf(
      await rendered(
        <SupportContext value="https://help.example/">
          <ForgetScreen {...shown} />
        </SupportContext>,
      ),
    ),
  ).toContain(way)
})
