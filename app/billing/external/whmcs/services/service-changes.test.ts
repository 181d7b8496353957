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
  if (!service) throw new Error("Service not found")
  return service
}
const customs = () =>
  shop.whmcs.calls.filter(({ action }) => action === "ModuleCustom").map(({ params }) => params.func_name)

test("terminate terminates a line once and ignores an unknown service", async () => {
  const service = await working()
  await shop.office.terminate(service)
  await shop.office.terminate(service)
  await shop.office.terminate({ ...service, serviceId: "77" })
  expect([line(), row().status]).toEqual([undefined, "Terminated"])
  expect(await shop.office.service(service)).toMatchObject({ status: "Terminated" })
})

test("terminate sets the status of a service without a server module", async () => {
  const service = await working({ module: "" })
  await shop.office.terminate(service)
  expect(row().status).toBe("Terminated")
})

test("terminate ignores another client's service", async () => {
  const service = await working()
  await shop.office.terminate({ ...service, customerId: "99" })
  expect(line()).toBeDefined()
})

test("restart recreates the same line and keeps the notes", async () => {
  const service = await working()
  row().notes = "Called on Monday"
  await shop.office.restart(service)
  expect([line()?.username, row().status, row().notes]).toEqual(["TVABCDEFGH", "Active", "Called on Monday"])
})

test("restart resumes an interrupted restart, but rejects a terminated line", async () => {
  const service = await working()
  shop.whmcs.quirks.dropResponse("ModuleTerminate")
  await expect(shop.office.restart(service)).rejects.toMatchObject({ kind: "unavailable" })
  expect(await shop.office.service(service)).toMatchObject({ status: "Active" })
  await shop.office.restart(service)
  expect([line()?.username, row().status, row().notes]).toEqual(["TVABCDEFGH", "Active", ""])
  shop.whmcs.staff.terminate(service.serviceId)
  await expect(shop.office.restart(service)).rejects.toMatchObject({ kind: "refused" })
  expect(line()).toBeUndefined()
})

test("restart calls the configured custom function of the server module", async () => {
  const service = await working({}, { restart: "kill_connections" })
  await shop.office.restart(service)
  expect(customs()).toEqual(["kill_connections"])
})

test.each(["recreate", "kill_connections"])(
  "the errors of restart (%s), terminate and setDeviceAddress withhold a panel message with the password",
  async (how) => {
    const service = await working({}, { restart: how })
    row().password = "0123456789"
    shop.whmcs.quirks.panelRefuses = "Login failed for 0123456789"
    for (const act of [
      () => shop.office.restart(service),
      () => shop.office.terminate(service),
      () => shop.office.setDeviceAddress(service, "00:1A:79:12:34:56"),
    ]) {
      const error = await act().catch((thrown: Error) => thrown)
      expect(error).toMatchObject({ kind: "refused", message: expect.stringContaining("message withheld") })
    }
  },
)

test("setDeviceAddress stores the address and pushes it to the panel", async () => {
  const service = await working()
  await shop.office.setDeviceAddress(service, "00:1A:79:12:34:56")
  expect(line()?.device).toBe("00:1A:79:12:34:56")
  expect(await shop.office.service(service)).toMatchObject({ deviceAddress: "00:1A:79:12:34:56" })
})

test.each([
  ["sync_device", ["sync_device"]],
  ["none", []],
])("setDeviceAddress pushes the address as configured: %s", async (pushMac, messages) => {
  const service = await working({}, { pushMac })
  await shop.office.setDeviceAddress(service, "00:1A:79:12:34:56")
  expect(customs()).toEqual(messages)
})

test("setDeviceAddress rejects a product without the MAC custom field", async () => {
  const service = await working({ fieldNames: ["Username", "Password"] })
  await expect(shop.office.setDeviceAddress(service, "00:1A:79:12:34:56")).rejects.toThrow(
    "Cannot set device address: WHMCS product 1 has no custom field MAC Address",
  )
})

test("setNotes changes and clears the customer's notes and keeps the staff notes", async () => {
  const service = await working()
  row().notes = "Called on Monday"
  await shop.office.setNotes(service, "Living room")
  expect(await shop.office.service(service)).toMatchObject({ notes: "Living room" })
  await shop.office.setNotes(service, "")
  expect([row().notes, (await shop.office.service(service))?.notes]).toEqual(["Called on Monday", null])
})

test("services returns the services of all pages, without those of other clients", async () => {
  await working()
  const [service] = shop.whmcs.services
  if (!service) throw new Error("Service not found")
  for (let id = 2; id <= 130; id++) shop.whmcs.services.push({ ...service, id })
  shop.whmcs.services.push({ ...service, id: 131, clientId: 99 })
  const services = await shop.office.services("1")
  expect(services.map(({ serviceId }) => Number(serviceId)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 130 }, (_, index) => index + 1),
  )
})
