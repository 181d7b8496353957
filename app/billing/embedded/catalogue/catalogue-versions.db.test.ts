import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { CatalogueAdmin, CatalogueContent } from "~/billing/catalogue/catalogue-admin"
import { catalogueChanges } from "~/domain/catalogue/catalogue-changes"
import {
  catalogueFixture,
  catalogueForImport,
  NOON,
  placed,
  plan,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../../tests/contracts/billing/embedded-billing"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"

const made = { author: "owner@shop.test", reason: "a sale", at: NOON }

/** The content with another name of its first plan. */
const renamed = ({ plans: [first, ...plans], ...content }: CatalogueContent, name: string) => ({
  ...content,
  plans: first ? [{ ...first, name }, ...plans] : plans,
})

describe.each(engines)("versions of the products on %s", (engine) => {
  let database: TemporaryDatabase
  let backend: SeedableBilling
  let catalogue: CatalogueAdmin
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    backend = await createEmbeddedBilling(database.url, catalogueFixture)
    if (!backend.catalogue) throw new Error("Embedded billing has the products")
    catalogue = backend.catalogue
  })
  afterEach(async () => {
    await backend.close()
    await database.close()
  })

  /** Renames the first plan, as somebody who has seen `seen`, or the last version. */
  async function rename(name: string, seen?: number) {
    const { content, latest } = await catalogue.present()
    return catalogue.change(renamed(content, name), { ...made, seenVersion: seen ?? latest })
  }
  const numbers = async () =>
    (await catalogue.versions({ limit: 10 })).map(({ number, how }) => [number, how])

  test("the first change keeps what was there as a version, and says who made the next, when and why", async () => {
    const before = await catalogue.present()
    expect([before.latest, await numbers()]).toEqual([0, []])
    expect(await rename("Sale")).toMatchObject({ kind: "saved", version: 2 })
    expect(await catalogue.versions({ limit: 10 })).toEqual([
      { number: 2, ...made, how: "edit", takenFrom: null },
      { number: 1, at: NOON, author: null, reason: null, how: "found", takenFrom: null },
    ])
    expect((await catalogue.version(1))?.products).toEqual(before.products)
    expect((await backend.billing.plans())[0]?.name).toBe("Sale")
    expect(await catalogue.version(3)).toBeNull()
  })

  test("a version is taken back by another one with the products of before; promotions and orders stay", async () => {
    const order = await placed(backend)
    const before = await catalogue.present()
    const { promotions } = await backend.operator.exportCatalogue()
    await rename("Sale")
    expect(await catalogue.takeBack(1, { ...made, seenVersion: 2 })).toMatchObject({
      kind: "saved",
      version: 3,
    })
    expect((await catalogue.present()).products).toEqual(before.products)
    expect((await catalogue.versions({ limit: 1 }))[0]).toMatchObject({ how: "take-back", takenFrom: 1 })
    expect((await backend.operator.exportCatalogue()).promotions).toEqual(promotions)
    expect((await backend.billing.order(order.id))?.lines).toEqual(order.lines)
    expect(await catalogue.takeBack(1, { ...made, seenVersion: 3 })).toEqual({ kind: "same" })
    expect(await catalogue.takeBack(9, { ...made, seenVersion: 3 })).toBeNull()
  })

  test("who has seen an older version changes nothing", async () => {
    await rename("Sale")
    expect(await rename("Late", 0)).toEqual({ kind: "changed" })
    expect((await backend.billing.plans())[0]?.name).toBe("Sale")
  })

  test("of two instances that change the products at once, one does and the other is refused", async () => {
    const other = await createEmbeddedBilling(database.url, catalogueFixture)
    const { content, latest } = await catalogue.present()
    const changing = [catalogue, other.catalogue].map((it, index) =>
      it?.change(renamed(content, `Plan ${index}`), { ...made, seenVersion: latest }),
    )
    const kinds = (await Promise.all(changing)).map((it) => it?.kind)
    expect(kinds.toSorted()).toEqual(["changed", "saved"])
    expect(await numbers()).toEqual([
      [2, "edit"],
      [1, "found"],
    ])
    await other.close()
  })

  test("an import is a version if it changes products, and one that changes only promotions is none", async () => {
    const file = catalogueForImport(catalogueFixture)
    await backend.operator.importCatalogue({ ...file, promotions: [] }, made)
    expect(await numbers()).toEqual([])
    expect((await backend.operator.exportCatalogue()).promotions).toEqual([])
    await backend.operator.importCatalogue({ ...file, products: file.products.slice(1) }, made)
    expect(await numbers()).toEqual([
      [2, "import"],
      [1, "found"],
    ])
  })

  test("the payment of a plan stays while it has services, and what was exported can be imported", async () => {
    const file = catalogueForImport(catalogueFixture)
    const once = { ...file, products: file.products.map((it) => ({ ...it, payType: "onetime" as const })) }
    await backend.operator.importCatalogue(once, made)
    const order = await placed(backend)
    const because = `cannot change, because product ${plan.id} has services: add a product with a new id instead`
    await expect(backend.operator.importCatalogue(file, made)).rejects.toMatchObject({
      kind: "refused",
      message: `plans.0.paytype ${because}.`,
    })
    expect(await catalogue.takeBack(1, { ...made, seenVersion: 2 })).toEqual({
      kind: "invalid",
      flaws: [{ path: ["plans", 0, "paytype"], message: because }],
    })
    await backend.operator.importCatalogue(await backend.operator.exportCatalogue(), made)
    expect((await catalogue.present()).products).toEqual(once.products)
    await backend.billing.applyOrderEvent(order.id, "aborted", NOON)
    await backend.operator.importCatalogue(file, made)
    expect((await catalogue.present()).products).toEqual(file.products)
  })

  test("products that came without a version become one before the next change", async () => {
    await rename("Sale")
    const { products } = await catalogue.present()
    await backend.operator.importCatalogue({ products: products.slice(1), promotions: [] })
    await rename("Bargain")
    expect(await numbers()).toEqual([
      [4, "edit"],
      [3, "found"],
      [2, "edit"],
      [1, "found"],
    ])
    expect((await catalogue.version(3))?.products).toEqual(products.slice(1))
  })

  test("products are checked as in a catalogue file, with the promotions that name them", async () => {
    const { content } = await catalogue.present()
    const [first, ...others] = content.plans
    const without = { ...content, plans: others }
    const refused = await catalogue.change(without, { ...made, seenVersion: 0 })
    expect(refused.kind === "invalid" && refused.flaws[0]).toMatchObject({
      path: ["promotions", 0, "appliesto"],
    })
    const wrong = { ...content, plans: [{ ...first, name: "", pricing: { EUR: { monthly: "much" } } }] }
    expect(await catalogue.check(wrong as CatalogueContent)).toMatchObject({
      kind: "invalid",
      flaws: [{ path: ["plans", 0, "name"] }, { path: ["plans", 0, "pricing", "EUR", "monthly"] }],
    })
    expect(await numbers()).toEqual([])
  })

  test("versions come in pages, the last one first", async () => {
    for (const name of ["One", "Two", "Three"]) await rename(name)
    expect((await catalogue.versions({ limit: 2 })).map(({ number }) => number)).toEqual([4, 3])
    expect((await catalogue.versions({ before: 3, limit: 2 })).map(({ number }) => number)).toEqual([2, 1])
  })

  test("a plan that is hidden stays in the file and with its services, and the version says so", async () => {
    const { content } = await catalogue.present()
    const [first, ...others] = content.plans
    const hidden = first ? [{ ...first, hidden: true }, ...others] : others
    const saved = await catalogue.change({ ...content, plans: hidden }, { ...made, seenVersion: 0 })
    if (saved.kind !== "saved") throw new Error(saved.kind)
    expect(catalogueChanges(saved.before, saved.after)).toEqual([
      expect.stringContaining("offered to new buyers yes → no"),
    ])
    const { products } = await backend.operator.exportCatalogue()
    expect(products[0]).toMatchObject({ id: first?.pid, isHidden: true })
    expect((await backend.billing.plans())[0]).toMatchObject({ id: first?.pid, isHidden: true })
  })
})
