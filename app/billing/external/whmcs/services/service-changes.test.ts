import { afterEach, expect, test } from "vitest"
import { paidAt, type WhmcsShop, whmcsShop } from "../../../../../tests/fixtures/whmcs-shop"

let shop: WhmcsShop
afterEach(() => shop.whmcs.close())

async function working(options = {}, settings = {}) {
  shop = await whmcsShop(options, settings)
  const paid = await paidAt(shop)
  await shop.office.provision(paid)
  return { customerId: paid.customerId, serviceId: paid.serviceId, productId: "1" }
}

const line = () => shop.whmcs.lines[0]
const row = () => {
  const [service] = shop.whmcs.services
  if (!service) throw new Error("No service")
  return service
}
const customs = () =>
  shop.whmcs.calls.filter(({ action }) => action === "ModuleCustom").map(({ params }) => params.func_name)

test("a line is ended once, and one that is not there is none", async () => {
  const service = await working()
  await shop.office.terminate(service)
  await shop.office.terminate(service)
  await shop.office.terminate({ ...service, serviceId: "77" })
  expect([line(), row().status]).toEqual([undefined, "Terminated"])
  expect(await shop.office.service(service)).toMatchObject({ status: "Cancelled" })
})

test("a product without a module ends by being written down so", async () => {
  const service = await working({ module: "" })
  await shop.office.terminate(service)
  expect(row().status).toBe("Terminated")
})

test("another client's line is not ended", async () => {
  const service = await working()
  await shop.office.terminate({ ...service, customerId: "99" })
  expect(line()).toBeDefined()
})

test("a restart makes the same line again, and keeps the notes", async () => {
  const service = await working()
  row().notes = "Called on Monday"
  await shop.office.restart(service)
  expect([line()?.username, row().status, row().notes]).toEqual(["TVABCDEFGH", "Active", "Called on Monday"])
})

test("a restart that broke off goes on; a line that was ended is not brought back by one", async () => {
  const service = await working()
  shop.whmcs.quirks.loseAnswer("ModuleTerminate")
  await expect(shop.office.restart(service)).rejects.toMatchObject({ kind: "unavailable" })
  expect(await shop.office.service(service)).toMatchObject({ status: "Active" })
  await shop.office.restart(service)
  expect([line()?.username, row().status, row().notes]).toEqual(["TVABCDEFGH", "Active", ""])
  shop.whmcs.staff.terminate(service.serviceId)
  await expect(shop.office.restart(service)).rejects.toMatchObject({ kind: "refused" })
  expect(line()).toBeUndefined()
})

test("a module with a function of its own restarts by it", async () => {
  const service = await working({}, { restart: "kill_connections" })
  await shop.office.restart(service)
  expect(customs()).toEqual(["kill_connections"])
})

test("a device's address is kept, and the panel learns it", async () => {
  const service = await working()
  await shop.office.setDeviceAddress(service, "00:1A:79:12:34:56")
  expect(line()?.device).toBe("00:1A:79:12:34:56")
  expect(await shop.office.service(service)).toMatchObject({ deviceAddress: "00:1A:79:12:34:56" })
})

test.each([
  ["sync_device", ["sync_device"]],
  ["none", []],
])("an address is told to the panel by %s", async (pushMac, messages) => {
  const service = await working({}, { pushMac })
  await shop.office.setDeviceAddress(service, "00:1A:79:12:34:56")
  expect(customs()).toEqual(messages)
})

test("a product without a field for devices says so to the operator", async () => {
  const service = await working({ fieldNames: ["Username", "Password"] })
  await expect(shop.office.setDeviceAddress(service, "00:1A:79:12:34:56")).rejects.toThrow(
    "Product 1 of WHMCS has no custom field MAC Address",
  )
})

test("the customer's words stand beside what staff have written", async () => {
  const service = await working()
  row().notes = "Called on Monday"
  await shop.office.setNotes(service, "Living room")
  expect(await shop.office.service(service)).toMatchObject({ notes: "Living room" })
  await shop.office.setNotes(service, "")
  expect([row().notes, (await shop.office.service(service))?.notes]).toEqual(["Called on Monday", null])
})

test("services are listed to the last page, each with what it is", async () => {
  await working()
  const [service] = shop.whmcs.services
  if (!service) throw new Error("No service")
  for (let id = 2; id <= 130; id++) shop.whmcs.services.push({ ...service, id })
  shop.whmcs.services.push({ ...service, id: 131, clientId: 99 })
  const services = await shop.office.services("1")
  expect(services.map(({ serviceId }) => Number(serviceId)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 130 }, (_, index) => index + 1),
  )
})
