import { rmSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { MINUTE, SECOND } from "~/domain/calendar"
import type { Service } from "~/domain/services/service"
import type { HeldCall } from "../../fakes/held-call"
import { temporaryFolder } from "../../support/temporary-folder"
import { credentials, NOON, newOrderInput, placed, plan, promotions, unique } from "./billing-fixtures"
import type { MirrorUnderTest } from "./mirror"
import { ordered } from "./reseller-fixtures"

/** An external billing system, with the means of a test to observe and control it. */
export type ExternalSide = {
  readonly mirror: MirrorUnderTest
  /** Orders for plans, oldest first; totals in minor units. */
  orders(): Promise<readonly { status: "open" | "paid" | "cancelled"; total: number }[]>
  /** The next order is created, but its response is lost. */
  loseNextOrder(): void
  /** The account of the next sign-up is created, but its response is lost. */
  loseNextSignUp(): void
  away(isAway: boolean): void
  /** The next order request arrives and is processed when the test releases it. `resets`: its connection is closed meanwhile. */
  holdNextOrder(how?: { resets?: boolean }): HeldCall
  /** Starts another process of the shop with the given database and clock. */
  startProcess(surroundings: {
    databaseUrl: string
    now: () => number
    timeoutMs?: number
  }): Promise<MirrorUnderTest>
  /** Decisions of the external system's staff about the newest order. */
  readonly staff: { markPaid(): Promise<void>; cancel(): Promise<void> }
  /** Sells a plan in the external system only, with an active service. */
  sellExternally(
    email: string,
  ): Promise<{ readonly id: string; readonly username: string; readonly password: string }>
  close(): Promise<void>
}

/** Tests that the external system and the local mirror stay consistent. */
export function externalBillingContract(
  billingSetup: string,
  open: (selling: { readonly taxed: boolean }) => Promise<ExternalSide>,
): void {
  describe(`${billingSetup} with tax of 20 % within its prices`, () => {
    let external: ExternalSide
    beforeEach(async () => {
      external = await open({ taxed: true })
    })
    afterEach(() => external.close())
    const ownLine = () => ({ credentials: { ...credentials, username: `TV${unique().slice(0, 8)}` } })
    const ofTwenty = [{ basisPoints: 2_000, amount: 333 }]

    test("an order has the tax that its external invoice states, and still has it once it is paid", async () => {
      const order = await placed(external.mirror, ownLine())
      expect([order.total.minor, order.externalTax, order.tax]).toEqual([2_000, ofTwenty, undefined])
      await external.staff.markPaid()
      await external.mirror.orderSync.reconcileExternalOrders(NOON + 86_400_000, 10)
      const paid = await external.mirror.billing.order(order.id)
      expect([paid?.status, paid?.externalTax]).toEqual(["paid", ofTwenty])
    })

    test("an order whose external response was lost has the tax too", async () => {
      const request = await newOrderInput(external.mirror.billing, ownLine())
      external.loseNextOrder()
      expect((await external.mirror.billing.placeOrder(request)).externalTax).toBeUndefined()
      expect((await external.mirror.billing.placeOrder(request)).externalTax).toEqual(ofTwenty)
    })
  })

  describe(`${billingSetup} with the local mirror`, () => {
    let external: ExternalSide
    beforeEach(async () => {
      external = await open({ taxed: false })
    })
    afterEach(() => external.close())

    const ownLine = () => ({ credentials: { ...credentials, username: `TV${unique().slice(0, 8)}` } })
    const placedLocally = () => placed(external.mirror, ownLine(), promotions.half)
    const orderNow = async (id: string) => external.mirror.billing.order(id)

    test("an order creates one external order with the same total to the cent", async () => {
      const order = await placedLocally()
      expect(order.total.minor).toBe(1_000)
      expect(order.externalTax).toBeUndefined()
      expect(await external.orders()).toEqual([{ status: "open", total: 1_000 }])
    })

    test("the customer's email cannot be changed in the shop, since the external system has no call for it", () => {
      expect(external.mirror.emailChanges).toBeNull()
    })

    test("a held order creates no external order, even without an amount due", async () => {
      const held = { ...ownLine(), holdReason: "blocked country XK" }
      expect((await placed(external.mirror, held, promotions.free)).status).toBe("fraud")
      expect((await placed(external.mirror, { ...held, ...ownLine() })).status).toBe("fraud")
      await external.mirror.orderSync.reconcileExternalOrders(NOON + 86_400_000, 10)
      expect(await external.orders()).toEqual([])
    })

    test("a held order creates its external order when it is released", async () => {
      const order = await placed(external.mirror, { ...ownLine(), holdReason: "blocked country XK" })
      const release = { at: NOON, deadline: NOON + 86_400_000, reference: "operator", quoteHolds: true }
      expect(await external.mirror.billing.releaseOrder(order.id, release)).toMatchObject({
        status: "placed",
      })
      expect(await external.orders()).toEqual([{ status: "open", total: 2_000 }])
    })

    test("an order whose external response was lost has one external order and continues with the same key", async () => {
      const request = await newOrderInput(external.mirror.billing, ownLine())
      external.loseNextOrder()
      const { id } = await external.mirror.billing.placeOrder(request)
      expect(await external.mirror.orderSync.isBeingPlaced(id)).toBe(true)
      const order = await external.mirror.billing.placeOrder(request)
      expect(order.status).toBe("placed")
      expect(await external.orders()).toEqual([{ status: "open", total: 2_000 }])
    })

    test("ten concurrent submissions of an order create one external order", async () => {
      const request = await newOrderInput(external.mirror.billing, ownLine())
      const orders = await Promise.all(
        Array.from({ length: 10 }, () => external.mirror.billing.placeOrder(request)),
      )
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
      expect(await external.orders()).toHaveLength(1)
    })

    describe("a process killed while it creates an external order", () => {
      test("looks up the external order before creating one, and continues once the first one exists", async () => {
        const { dead, restarted, request, held, wait, press } = await killed()
        wait(10 * SECOND)
        // The first call ends when the test says so: whoever waited for it would not come back.
        const pressed = await Promise.all(Array.from({ length: 5 }, press))
        expect(pressed).toEqual(["pending", "pending", "pending", "pending", "pending"])
        expect(await external.orders()).toEqual([])

        wait(10 * SECOND)
        await held.finish()
        await expect.poll(press).toBe("ready")
        const order = await restarted.billing.placeOrder(request)
        expect(await Promise.all([press(), press()])).toEqual(["ready", "ready"])
        expect(await external.orders()).toEqual([{ status: "open", total: 2_000 }])
        expect(await restarted.orderSync.isBeingPlaced(order.id)).toBe(false)
        await dead
        expect(await external.orders()).toHaveLength(1)
      })

      test("the waiting page finds the external order without another submission", async () => {
        const { restarted, held, wait, orderId } = await killed()
        wait(10 * SECOND)
        expect(await restarted.orderSync.isBeingPlaced(orderId)).toBe(true)
        await held.finish()
        const looks = async () => {
          wait(3 * SECOND)
          return restarted.orderSync.isBeingPlaced(orderId)
        }
        await expect.poll(looks).toBe(false)
        expect(await external.orders()).toHaveLength(1)
      })

      test("a lost external order is created once, after the longest call time has passed", async () => {
        const { restarted, wait, press, orderId } = await killed()
        wait(2 * MINUTE - SECOND)
        expect(await press()).toBe("pending")
        expect(await external.orders()).toEqual([])
        wait(4 * SECOND)
        expect(await restarted.orderSync.isBeingPlaced(orderId)).toBe(false)
        const pressed = Promise.all(Array.from({ length: 5 }, press))
        await pressed
        await expect.poll(press).toBe("ready")
        expect(await external.orders()).toHaveLength(1)
      })

      test("an order cancelled meanwhile whose external order appears later is cancelled externally by the sweep", async () => {
        const { restarted, held, wait, orderId } = await killed()
        wait(10 * SECOND)
        await restarted.billing.applyOrderEvent(orderId, "aborted", NOON + 10 * SECOND)
        await restarted.orderSync.reconcileExternalOrders(NOON + 10 * SECOND, 10)
        await held.finish()
        wait(86_400_000)
        await restarted.orderSync.reconcileExternalOrders(NOON + 2 * 86_400_000, 10)
        expect(await external.orders()).toMatchObject([{ status: "cancelled" }])
      })

      test("a timed-out call is not repeated while the external system may still process it", async () => {
        // The limit holds for the calls before the order too, which must succeed on a busy machine.
        const { first, dead, request, held, wait, press, orderId } = await killed({ timeoutMs: 2_000 })
        await dead
        expect(await first.orderSync.isBeingPlaced(orderId)).toBe(true)
        wait(3 * SECOND)
        expect(await press()).toBe("pending")
        expect(await external.orders()).toEqual([])
        await held.finish()
        wait(3 * SECOND)
        await expect.poll(press).toBe("ready")
        await first.billing.placeOrder(request)
        expect(await external.orders()).toHaveLength(1)
      })

      test("a call whose connection was reset is not repeated while the external system may still process it", async () => {
        const { dead, held, wait, press } = await killed({ resets: true })
        await dead
        const pressed = await Promise.all(Array.from({ length: 5 }, press))
        expect(pressed).toEqual(["pending", "pending", "pending", "pending", "pending"])
        expect(await external.orders()).toEqual([])
        await held.finish()
        wait(3 * SECOND)
        await expect.poll(press).toBe("ready")
        expect(await external.orders()).toEqual([{ status: "open", total: 2_000 }])
      })

      /** Simulates a process that is killed during an external order request, and the process that follows it. */
      async function killed({ resets = false, ...limits }: { timeoutMs?: number; resets?: boolean } = {}) {
        vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
        folder = temporaryFolder()
        let at = NOON
        const surroundings = { databaseUrl: join(folder, "boxoffice.db"), now: () => at }
        const first = await external.startProcess({ ...surroundings, ...limits })
        processes.push(first)
        const request = await newOrderInput(first.billing, ownLine())
        const held = external.holdNextOrder({ resets })
        const dead = first.billing.placeOrder(request).catch(() => {})
        await held.started
        const restarted = await external.startProcess(surroundings)
        processes.push(restarted)
        const { id: orderId } = (await restarted.billing.orderByIdempotencyKey(request.key)) ?? { id: "" }
        /** The buyer submits the form again. */
        const press = async () => {
          const order = await restarted.billing.placeOrder(request)
          return (await restarted.orderSync.completeOrder(order)) ? "ready" : "pending"
        }
        const wait = (milliseconds: number) => {
          at += milliseconds
        }
        finish = held.finish
        return { first, dead, restarted, request, held, wait, press, orderId }
      }

      let folder = ""
      let finish: () => Promise<void> = async () => {}
      const processes: MirrorUnderTest[] = []
      afterEach(async () => {
        await finish()
        await Promise.all(processes.splice(0).map((it) => it.close()))
        vi.useRealTimers()
        rmSync(folder, { recursive: true })
      })
    })

    test("nothing can be ordered while external billing is down, and the same key continues afterwards", async () => {
      const request = await newOrderInput(external.mirror.billing, ownLine())
      external.away(true)
      await expect(external.mirror.billing.placeOrder(request)).rejects.toMatchObject({ kind: "unavailable" })
      await expect(external.mirror.billing.plans()).rejects.toMatchObject({ kind: "unavailable" })
      expect(await external.mirror.lastCatalogueSnapshot.plans()).not.toEqual([])
      external.away(false)
      await external.mirror.billing.placeOrder(request)
      expect(await external.orders()).toHaveLength(1)
    })

    test("a cancelled order is cancelled externally, at the latest by the sweep", async () => {
      const order = await placedLocally()
      external.away(true)
      await external.mirror.billing.applyOrderEvent(order.id, "aborted", NOON)
      external.away(false)
      await external.mirror.orderSync.reconcileExternalOrders(NOON + 86_400_000, 10)
      expect(await external.orders()).toMatchObject([{ status: "cancelled" }])
    })

    test("an order with a lost response and no returning buyer is cancelled externally too", async () => {
      const request = await newOrderInput(external.mirror.billing, ownLine())
      external.loseNextOrder()
      await external.mirror.billing.placeOrder(request)
      const [overdue = ""] = await external.mirror.billing.overdueOrders(NOON + 86_400_000, 10)
      await external.mirror.billing.applyOrderEvent(overdue, "deadlinePassed", NOON + 86_400_000)
      await external.mirror.orderSync.reconcileExternalOrders(NOON + 86_400_000, 10)
      expect(await external.orders()).toMatchObject([{ status: "cancelled" }])
    })

    test("an invoice that staff mark paid externally pays the local order and provisions the service", async () => {
      const order = await placedLocally()
      await external.staff.markPaid()
      expect(await external.mirror.orderSync.reconcileExternalOrders(NOON + 86_400_000, 10)).toEqual([
        order.id,
      ])
      const paid = await orderNow(order.id)
      expect(paid?.status).toBe("paid")
      const line = await external.mirror.billing.service(order.serviceId)
      if (!paid || !line) throw new Error("Order not found")
      const made = await created(external.mirror, line)
      expect(made.host).toMatch(/^https?:\/\//)
      expect(await created(external.mirror, line)).toEqual(made)
    })

    test("the note of a reseller's line is stored externally and returned with the line", async () => {
      const { mirror, staff } = external
      const { billing } = mirror
      const { order, customerId, line } = await ordered(mirror)
      await staff.markPaid()
      await mirror.orderSync.reconcileExternalOrders(NOON + 86_400_000, 10)
      const provision = async (id: string) => {
        const pending = await billing.service(id)
        if (!pending) throw new Error("Service not found")
        await billing.activateService(pending.id, await created(mirror, pending), NOON)
      }
      await provision(order.serviceId)
      const note = `Leo & "Mia"`
      const { serviceId } = await billing.createLine({ ...line(), notes: note })
      await provision(serviceId)
      const services = await billing.servicesOf({ id: customerId, reach: "account" })
      expect(services.filter(({ kind }) => kind === "plan").map(({ notes }) => notes)).toEqual([note])
    })

    test("an order that staff cancel externally is cancelled locally", async () => {
      const order = await placedLocally()
      await external.staff.cancel()
      await external.mirror.orderSync.reconcileExternalOrders(NOON + 86_400_000, 10)
      expect((await orderNow(order.id))?.status).toBe("cancelled")
    })

    test("an erased customer who returns is linked by email address again", async () => {
      const { billing, operator } = external.mirror
      const ana = { email: "o'ana@example.test", locale: "en-en", currency: "EUR", country: "MA" } as const
      const { customerId } = await billing.identify({ ...ana, address: "192.0.2.7", at: NOON })
      expect(await billing.eraseInactiveCustomers(NOON, 10)).toBe(1)
      expect(await operator.customersOf(ana.email)).toEqual([])
      await billing.identify({ ...ana, address: null, at: NOON })
      const order = await placed(external.mirror, { customerId, ...ownLine() })
      expect(await operator.order(order.id)).toMatchObject({ email: ana.email })
    })

    test("a sign-up whose response was lost grants no more access than it has proven, however it continues", async () => {
      const { billing } = external.mirror
      const ana = { email: "o'ana@example.test", locale: "en-en", currency: "EUR", country: "MA" } as const
      const visitor = { ...ana, address: null, at: NOON }
      const proof = { email: ana.email, password: 'correct & "horse" <battery>' }
      external.loseNextSignUp()
      const lost = billing.resellerAuth({ ...visitor, ...proof, existing: false })
      await expect(lost).rejects.toMatchObject({ kind: "unavailable" })
      const { customerId } = await billing.identify(visitor)
      await placed(external.mirror, { customerId, ...ownLine() }, promotions.free)
      const again = await billing.signIn(proof)
      expect(again).toMatchObject({ id: customerId, reach: "sign-up", passwordId: expect.any(String) })
      expect(await billing.resellerAuth({ ...visitor, ...proof, existing: false })).toEqual(again)
      expect(await billing.signIn(proof)).toEqual(again)
      expect(again && (await billing.servicesOf(again))).toEqual([])
      expect(await billing.endSignUpPassword(customerId, NOON)).toBe(true)
      expect(await billing.signIn(proof)).toBeNull()
    })

    test("a plan sold externally is listed among the customer's services, with its name and login details", async () => {
      const sold = await external.sellExternally("o'brien@example.test")
      const customer = await external.mirror.billing.customerOf("o'brien@example.test")
      if (!customer) throw new Error("The customer is not known")
      const services = await external.mirror.billing.servicesOf({ id: customer.id, reach: "account" })
      expect(customer.email).toBe("o'brien@example.test")
      expect(services).toMatchObject([
        {
          id: sold.id,
          status: "Active",
          customerId: customer.id,
          name: plan.name,
          username: sold.username,
          password: sold.password,
        },
      ])
      expect(await external.orders()).toHaveLength(1)
    })
  })
}

const noLists = { playlist: async () => Readable.from([]), playlistAddress: () => null }

function created(backend: MirrorUnderTest, line: Service): Promise<{ host: string }> {
  return backend.panel(noLists).create(line)
}
