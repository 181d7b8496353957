import { parseWithZod } from "@conform-to/zod/v4"
import { expect, test } from "vitest"
import type { z } from "zod"
import { DeviceForm, NotesForm, PasswordForm, ServiceIntent, SignInForm } from "./service-form"

/** Parses a form: its values, or the message keys by field. */
function sent(schema: z.ZodObject, fields: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const submission = parseWithZod(form, { schema })
  return submission.status === "success" ? submission.value : submission.error
}

const device = (deviceAddress: string) => sent(DeviceForm, { deviceAddress })
const notes = (text: string) => sent(NotesForm, { notes: text })

test.each(["00:1a:79:ab:cd:ef", " 00-1A-79-AB-CD-EF ", "001a79abcdef", "001a.79ab.cdef"])(
  "normalizes the device address %j",
  (typed) => expect(device(typed)).toEqual({ deviceAddress: "00:1A:79:AB:CD:EF" }),
)

test.each(["", "living room", "00:1A:79:AB:CD", "FF:FF:FF:FF:FF:FF", "0".repeat(10_000)])(
  "rejects an invalid device address (%#)",
  (typed) => expect(device(typed)).toEqual({ deviceAddress: ["device.invalid"] }),
)

test("rejects a device form without the field", () => {
  expect(sent(DeviceForm, {})).toEqual({ deviceAddress: ["device.invalid"] })
})

test("accepts long and empty notes", () => {
  expect(notes("x".repeat(1_000))).toEqual({ notes: "x".repeat(1_000) })
  expect(notes("")).toEqual({ notes: "" })
  expect(notes("x".repeat(1_001))).toEqual({ notes: ["success.notes.tooLong"] })
})

test("counts a line break in notes as one character, as the browser does", () => {
  expect(notes("a\r\nb")).toEqual({ notes: "a\nb" })
  expect(notes(`${"x\r\n".repeat(499)}x`)).toEqual({ notes: `${"x\n".repeat(499)}x` })
})

test("notes are kept without the spaces and lines around them", () => {
  expect(notes(" living room \r\n")).toEqual({ notes: "living room" })
})

test("removes characters from notes that the database cannot store", () => {
  expect(notes("living\0room")).toEqual({ notes: "livingroom" })
})

test("does not trim a password", () => {
  expect(sent(PasswordForm, { password: " pass words " })).toEqual({ password: " pass words " })
})

test.each([
  ["", "password.tooShort"],
  ["x".repeat(9), "password.tooShort"],
  ["x".repeat(201), "password.tooLong"],
])("rejects a password that is too short or too long (%#)", (password, message) => {
  expect(sent(PasswordForm, { password })).toEqual({ password: [message] })
})

test("signing in requires a valid e-mail and a non-empty password only", () => {
  const good = { email: "ana@example.test", password: "x" }
  expect(sent(SignInForm, { ...good, email: " ana@example.test " })).toEqual(good)
  expect(sent(SignInForm, {})).toEqual({
    email: ["checkout.email.invalid"],
    password: ["signIn.passwordRequired"],
  })
  expect(sent(SignInForm, { email: "ana at example", password: "x".repeat(201) })).toEqual({
    email: ["checkout.email.invalid"],
    password: ["signIn.passwordRequired"],
  })
})

test("accepts known intents only", () => {
  expect(ServiceIntent.safeParse("restart").success).toBe(true)
  for (const other of ["terminate", "", null]) expect(ServiceIntent.safeParse(other).success).toBe(false)
})
