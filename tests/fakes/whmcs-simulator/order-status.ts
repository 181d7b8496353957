import { type Action, type Installation, orderBy, SUCCESS, serviceBy } from "./installation"
import { sendMail } from "./mails"
import { createLine, lineOf, removeLine } from "./panel-lines"
import { flag, text, WhmcsError } from "./params"
import type { Fields } from "./php-form"
import type { Order, Service, ServiceStatus } from "./state"

const NOT_PENDING = "Order ID not found or Status not Pending"
const NOT_FOUND = "Order ID Not Found"

export const acceptOrder: Action = (installation, params) => {
  const order = pendingOnly(orderBy(installation, params, NOT_PENDING))
  const sets = params.has("autosetup") ? flag(params, "autosetup") : installation.autosetup !== ""
  rejectAcceptance(installation, sets)
  for (const service of servicesOf(installation, order)) {
    service.username = text(params, "serviceusername") || service.username
    service.password = text(params, "servicepassword") || service.password
    if (service.status === "Pending")
      accept(installation, service, { sets, sends: sendsWelcome(installation, params) })
  }
  order.status = "Active"
  return SUCCESS
}

function rejectAcceptance({ quirks }: Installation, sets: boolean): void {
  const { acceptanceRefused, acceptanceRefusedFor } = quirks
  if (acceptanceRefused === null) return
  if (sets || acceptanceRefusedFor === "every-call") throw new WhmcsError(acceptanceRefused)
}

/** Without the parameter WHMCS sends the product's welcome e-mail, if it has one. */
function sendsWelcome({ welcomeEmail }: Installation, params: Fields): boolean {
  return welcomeEmail && (!params.has("sendemail") || flag(params, "sendemail"))
}

/** A service of an accepted order counts as active, whether its module has run or not. */
function accept(
  installation: Installation,
  service: Service,
  { sets, sends }: { sets: boolean; sends: boolean },
): void {
  if (sets) createLine(installation, service)
  service.status = "Active"
  if (sends) sendMail(installation, service.clientId, "New Product Information")
}

export const cancelOrder: Action = (installation, params) => {
  const order = pendingOnly(orderBy(installation, params, NOT_PENDING))
  endOrder(installation, order, "Cancelled")
  if (!flag(params, "noemail")) sendMail(installation, order.clientId, "Order Cancelled")
  return SUCCESS
}

export const fraudOrder: Action = (installation, params) => {
  endOrder(installation, orderBy(installation, params, NOT_FOUND), "Fraud")
  return SUCCESS
}

export const setOrderPending: Action = (installation, params) => {
  const order = orderBy(installation, params, NOT_FOUND)
  order.status = "Pending"
  setServices(installation, order, "Pending")
  return SUCCESS
}

export const orderFraudCheck: Action = (installation, params) => {
  orderBy(installation, params, NOT_FOUND)
  return { ...SUCCESS, status: installation.quirks.fraudStatus, module: "maxmind", results: "" }
}

function pendingOnly(order: Order): Order {
  if (order.status !== "Pending") throw new WhmcsError(NOT_PENDING)
  return order
}

/** Terminates existing lines and cancels the unpaid invoice. */
function endOrder(installation: Installation, order: Order, status: "Cancelled" | "Fraud"): void {
  for (const service of servicesOf(installation, order))
    if (lineOf(installation, service)) removeLine(installation, service)
  order.status = status
  setServices(installation, order, status)
  const invoice = installation.state.invoices.find(({ id }) => id === order.invoiceId)
  if (invoice?.status === "Unpaid") invoice.status = "Cancelled"
}

function setServices(installation: Installation, order: Order, status: ServiceStatus): void {
  for (const service of servicesOf(installation, order)) service.status = status
}

function servicesOf(installation: Installation, order: Order): Service[] {
  return order.serviceIds.map((id) => serviceBy(installation, String(id)))
}
