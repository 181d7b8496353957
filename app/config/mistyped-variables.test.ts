import { expect, test } from "vitest"
import { formerVariables } from "./former-variables"
import { mistypedVariablesIn } from "./mistyped-variables"

test.each([
  ["SESSION_SECRET", "SESSION_SECRETS"],
  ["RETENTION_DAY", "RETENTION_DAYS"],
  ["OPERATOR_MAIL", "OPERATOR_EMAIL"],
  ["SMPT_URL", "SMTP_URL"],
  ["DATABSAE_URL", "DATABASE_URL"],
  ["smtp_url", "SMTP_URL"],
  ["GRACE_DAYS", null],
  ["HOME", null],
  ["HOSTNAME", null],
  ["NODE_ENV", null],
  ["OTEL_EXPORTER_OTLP_HEADERS", null],
])("%s is meant to be %s", (variable, meant) => {
  const expected = meant === null ? [] : [{ variable, meant }]
  expect(mistypedVariablesIn({ [variable]: "x" })).toEqual(expected)
})

test("a former name that still works is none", () => {
  const former = Object.keys(formerVariables).map((variable) => [variable, "x"])
  expect(mistypedVariablesIn(Object.fromEntries(former))).toEqual([])
})

test("a variable beside the one that it is close to is another program's", () => {
  expect(mistypedVariablesIn({ DATABASE_URL: "postgres://a/b", DATABASE_URL2: "postgres://a/c" })).toEqual([])
  expect(mistypedVariablesIn({ GRACE_DAY: "" })).toEqual([])
})
