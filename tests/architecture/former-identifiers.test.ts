import { basename } from "node:path"
import { expect, test } from "vitest"
import { exportedNames } from "./exported-names"
import { formerFileWords, formerIdentifiers, formerMembers } from "./former-identifiers"
import { sourceFiles } from "./source-modules"

const names = exportedNames()

test("reads exported declarations and the members of exported types", () => {
  expect(names).toEqual(
    expect.arrayContaining([
      { file: "app/billing/payments/payment-repository.ts", name: "PaymentRepository", type: null },
      {
        file: "app/billing/payments/payment-repository.ts",
        name: "recordPaymentUpdate",
        type: "PaymentRepository",
      },
      { file: "app/domain/money/money.ts", name: "money", type: null },
    ]),
  )
})

test("no exported name or member of an exported type has a former name", () => {
  const left = names.filter(({ name }) => Object.hasOwn(formerIdentifiers, name))
  expect(left.map(({ file, name }) => `${file}: ${name} is now ${formerIdentifiers[name]}`)).toEqual([])
})

test("no type has a member under its former name", () => {
  const types = new Set(names.map(({ type }) => type))
  for (const [type, former] of Object.entries(formerMembers)) {
    expect(types).toContain(type)
    const left = names.filter((it) => it.type === type && former.includes(it.name))
    expect(left).toEqual([])
  }
})

/** Names of migrations are stored data. */
const STORED = /^app\/billing\/embedded\/db\/migrations\//

test("no file name contains a former term", () => {
  const word = new RegExp(`(^|[-.])(${formerFileWords.join("|")})([-.]|$)`)
  const files = ["app", "tests", "scripts"].flatMap(sourceFiles).filter((file) => !STORED.test(file))
  expect(files.filter((file) => word.test(basename(file)))).toEqual([])
})
