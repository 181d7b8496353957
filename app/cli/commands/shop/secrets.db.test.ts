import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { StoredSecrets } from "~/billing/operators/stored-secrets"
import { diagnoseSecrets, reEncryptSecrets } from "~/flows/admin/shop/re-encrypt-secrets.server"
import { type SecretSeals, sealWith } from "~/security/cookie-encryption.server"
import { auditedOf, consoleOf, enrolled, hiddenFieldsIn } from "../../../../tests/fixtures/console"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

const OLD = "x".repeat(32)
const NEW = "y".repeat(32)

const sealsOf = (...secrets: string[]): SecretSeals => ({
  operators: sealWith(secrets, "operators"),
  webhooks: sealWith(secrets, "webhooks"),
})

describe("after OPERATOR_SECRETS has got another first secret", () => {
  let shop: TestShop
  let storedSecrets: StoredSecrets
  beforeEach(async () => {
    shop = await openTestShop()
    storedSecrets = shop.billing.storedSecrets
    await enrolled(shop, "owner")
    await enrolled(shop, "support")
    const { webhooks } = sealsOf(OLD)
    const first = webhooks.seal("first")
    const endpoint = { url: "https://crm.test/", description: "", subscriptions: ["*"], at: 1 } as const
    await shop.billing.webhooks.addEndpoint({
      ...endpoint,
      id: "whe_1",
      sealedSecret: first,
    })
    const rotation = { sealedSecret: webhooks.seal("second"), formerUntil: 2, replaced: first }
    await shop.billing.webhooks.rotateSecret("whe_1", rotation)
  })
  afterEach(() => shop.billing.close())

  const opened = async (seals: SecretSeals) =>
    (await storedSecrets.list()).map(({ kind, sealed }) =>
      (kind === "operator" ? seals.operators : seals.webhooks).open(sealed),
    )

  test("every stored secret is encrypted anew, once, and the former secret of the list may go", async () => {
    const before = await opened(sealsOf(OLD))
    expect(before).toHaveLength(4)
    expect(await opened(sealsOf(NEW))).toEqual([null, null, null, null])
    const both = { storedSecrets, secretSeals: sealsOf(NEW, OLD) }
    expect(await diagnoseSecrets(both)).toMatchObject([{ ok: null, message: expect.stringContaining("4 ") }])
    expect(await reEncryptSecrets(both)).toEqual({ reEncrypted: 4, current: 4, outdated: 0, unreadable: [] })
    expect(await opened(sealsOf(NEW))).toEqual(before)
    const written = await storedSecrets.list()
    expect(await reEncryptSecrets(both)).toMatchObject({ reEncrypted: 0, current: 4 })
    expect(await storedSecrets.list()).toEqual(written)
    expect(await diagnoseSecrets({ storedSecrets, secretSeals: sealsOf(NEW) })).toEqual([])
  })

  test("a run that is cut off leaves each secret readable for a shop that has both, and another one does the rest", async () => {
    const secretSeals = sealsOf(NEW, OLD)
    let left = 2
    const failing: StoredSecrets = {
      ...storedSecrets,
      replace: (...secret) => {
        if (left-- === 0) throw new Error("killed")
        return storedSecrets.replace(...secret)
      },
    }
    await expect(reEncryptSecrets({ storedSecrets: failing, secretSeals })).rejects.toThrow("killed")
    expect((await opened(secretSeals)).filter((it) => it === null)).toEqual([])
    expect(await reEncryptSecrets({ storedSecrets, secretSeals })).toMatchObject({
      reEncrypted: 2,
      current: 4,
    })
  })

  test("a secret that an operator changes meanwhile stays the new one", async () => {
    const [first] = await storedSecrets.list()
    if (!first) throw new Error("no secret")
    expect(await storedSecrets.replace(first, "changed meanwhile")).toBe(true)
    expect(await storedSecrets.replace(first, "encrypted anew")).toBe(false)
  })

  test("what nothing decrypts is named with what to do, and stays until the former secret is found", async () => {
    const lost = { storedSecrets, secretSeals: sealsOf(NEW) }
    const { reEncrypted, unreadable } = await reEncryptSecrets(lost)
    expect([reEncrypted, unreadable.map(({ kind }) => kind).toSorted()]).toEqual([
      0,
      ["former-webhook", "operator", "operator", "webhook"],
    ])
    const messages = (await diagnoseSecrets(lost)).map(({ message }) => message).join()
    expect(messages).toContain('"operators reset owner@shop.test"')
    expect(messages).toContain('"webhooks rotate-secret whe_1"')
    expect((await opened(sealsOf(OLD))).filter((it) => it === null)).toEqual([])
  })

  test("an owner without a terminal does it on the page of the settings", async () => {
    const console = { ...consoleOf(shop.services), secretSeals: sealsOf(NEW, OLD) }
    const services = { ...shop.services, console }
    const owner = await enrolled({ ...shop, services }, "owner", "jonas@shop.test")
    const page = await (await owner.request({ path: "/admin/settings" })).text()
    expect(page).toContain(
      "Encrypted with a later one of OPERATOR_SECRETS, which has to stay in the list: 5.",
    )
    const fields = hiddenFieldsIn(page, "re-encrypt-secrets")
    const form = { ...fields, action: "re-encrypt-secrets", reason: "rotation" }
    const answer = await owner.request({ path: "/admin/settings", form })
    expect(answer.headers.get("location")).toBe("/checkout/admin/settings?re-encrypted=5")
    expect(await opened(sealsOf(NEW))).not.toContain(null)
    expect((await auditedOf(shop, "re-encrypt-secrets")).map(({ outcome }) => outcome)).toEqual([
      "started",
      "done",
    ])
  })
})
