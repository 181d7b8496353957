import { type Action, type Installation, orderBy, SUCCESS, serviceBy } from "./installation"
import { createLine, lineOf, removeLine } from "./panel-lines"
import { flag, text, WhmcsError } from "./params"
import type { Order, Service, ServiceStatus } from "./state"

const NOT_PENDING = "Order ID not found or Status not Pending"
const NOT_FOUND = "Order ID Not Found"

export const acceptOrder: Action = (world, params) => {
  const order = pendingOnly(orderBy(world, params, NOT_PENDING))
  const sets = params.has("autosetup") ? flag(params, "autosetup") : world.autosetup !== ""
  for (const service of servicesOf(world, order)) {
    service.username = text(params, "serviceusername") || service.username
    service.password = text(params, "servicepassword") || service.password
    if (service.status === "Pending") accept(world, service, sets)
  }
  order.status = "Active"
  return SUCCESS
}

/** A service of an accepted order counts as active, whether its module has been run or not. */
function accept(world: Installation, service: Service, sets: boolean): void {
  if (sets) createLine(world, service)
  service.status = "Active"
}

export const cancelOrder: Action = (world, params) => {
  const order = pendingOnly(orderBy(world, params, NOT_PENDING))
  endOrder(world, order, "Cancelled")
  return SUCCESS
}

export const fraudOrder: Action = (world, params) => {
  endOrder(world, orderBy(world, params, NOT_FOUND), "Fraud")
  return SUCCESS
}

export const setOrderPending: Action = (world, params) => {
  const order = orderBy(world, params, NOT_FOUND)
  order.status = "Pending"
  setServices(world, order, "Pending")
  return SUCCESS
}

export const orderFraudCheck: Action = (world, params) => {
  orderBy(world, params, NOT_FOUND)
  return { ...SUCCESS, status: world.quirks.fraudStatus, module: "maxmind", results: "" }
}

function pendingOnly(order: Order): Order {
  if (order.status !== "Pending") throw new WhmcsError(NOT_PENDING)
  return order
}

/** Lines that are there are taken away, and an invoice nobody has paid is not asked for any more. */
function endOrder(world: Installation, order: Order, status: "Cancelled" | "Fraud"): void {
  for (const service of servicesOf(world, order)) if (lineOf(world, service)) removeLine(world, service)
  order.status = status
  setServices(world, order, status)
  const invoice = world.state.invoices.find(({ id }) => id === order.invoiceId)
  if (invoice?.status === "Unpaid") invoice.status = "Cancelled"
}

function setServices(world: Installation, order: Order, status: ServiceStatus): void {
  for (const service of servicesOf(world, order)) service.status = status
}

function servicesOf(world: Installation, order: Order): Service[] {
  return order.serviceIds.map((id) => serviceBy(world, String(id)))
}
