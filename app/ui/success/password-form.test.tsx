import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { PasswordForm } from "./password-form"

const form = { serviceId: "service", again: null, lastResult: null, done: false }
const isOpen = (document: Awaited<ReturnType<typeof rendered>>) =>
  elements(document, (it) => it.tagName === "details" && attribute(it, "open") !== null).length > 0

test("submits the new password with the service id and shows the minimum length", async () => {
  const document = await rendered(<PasswordForm {...form} />)
  const [sent] = formsIn(document)
  expect(sent?.submission(sent.button({}), { password: "long enough" }).entries).toEqual([
    ["serviceid", "service"],
    ["password", "long enough"],
    ["intent", "password"],
  ])
  expect(textOf(document)).toContain("At least 10 characters.")
})

test("is collapsed until opened or until it has an error", async () => {
  expect(isOpen(await rendered(<PasswordForm {...form} />))).toBe(false)
  const lastResult = {
    status: "error" as const,
    initialValue: { intent: "password" },
    error: { password: ["password.tooShort"] },
  }
  const refused = await rendered(<PasswordForm {...form} lastResult={lastResult} />, "de-de")
  expect(isOpen(refused)).toBe(true)
  expect(textOf(refused)).toContain("Dieses Passwort ist zu kurz.")
})

test("asks who was signed in long ago to sign in again, in place of the form", async () => {
  const again = { lead: "Sign in again first.", action: "Sign in again" }
  const document = await rendered(<PasswordForm {...form} again={again} />)
  const [sent, ...others] = formsIn(document)
  expect(others).toEqual([])
  expect(sent?.submission(sent.button({}), {}).entries).toEqual([
    ["serviceid", "service"],
    ["intent", "sign-in-again"],
  ])
})

test("shows that the password was saved", async () => {
  const [body] = elements(
    await rendered(<PasswordForm {...form} done />),
    (it) => attribute(it, "role") === "status",
  )
  expect(body && textOf(body)).toBe("Password saved. You can now sign in with it.")
})
