import {
  type Action,
  clientBy,
  type Installation,
  itemOf,
  page,
  prefixOf,
  SUCCESS,
  sameText,
  suffixOf,
} from "./installation"
import { decimal, text } from "./params"
import { groupName } from "./products"
import { List, type WhmcsResponse } from "./responses"
import { displayCycle } from "./service-queries"
import type { Order, Service } from "./state"

export const getOrders: Action = (installation, params) => {
  const [id, userid, status] = ["id", "userid", "status"].map((name) => text(params, name))
  const matching = installation.state.orders
    .filter((order) => !id || String(order.id) === id)
    .filter(({ clientId }) => !userid || String(clientId) === userid)
    .filter((order) => !status || sameText(order.status, status))
    .toReversed()
  const { rows, start } = page(params, matching)
  return {
    ...SUCCESS,
    totalresults: matching.length,
    startnumber: start,
    numreturned: rows.length,
    orders: new List(
      "order",
      rows.map((order) => orderRow(installation, order)),
    ),
  }
}

export const getOrderStatuses: Action = ({ state }) => {
  const statuses = (["Pending", "Active", "Fraud", "Cancelled"] as const).map((title) => {
    return { title, count: state.orders.filter(({ status }) => status === title).length }
  })
  return { ...SUCCESS, totalresults: statuses.length, statuses: new List("status", statuses) }
}

function orderRow(installation: Installation, order: Order): WhmcsResponse {
  const { currency, details } = clientBy(installation, String(order.clientId))
  const { promotion } = order
  const invoice = installation.state.invoices.find(({ id }) => id === order.invoiceId)
  return {
    id: order.id,
    ordernum: Number(order.number),
    userid: order.clientId,
    contactid: 0,
    requestor_id: 0,
    admin_requestor_id: 1,
    date: order.date,
    nameservers: "",
    transfersecret: "",
    renewals: "",
    promocode: promotion?.code ?? "",
    promotype: promotion?.type ?? "",
    promovalue: promotion ? decimal(promotion.value) : "",
    orderdata: "[]",
    amount: decimal(order.amount),
    paymentmethod: order.gateway,
    invoiceid: order.invoiceId,
    status: order.status,
    ipaddress: order.address,
    fraudmodule: "",
    fraudoutput: "",
    notes: order.notes,
    paymentmethodname: displayName(order.gateway),
    paymentstatus: invoice?.status ?? "",
    name: `${details.firstname} ${details.lastname}`,
    currencyprefix: prefixOf(currency),
    currencysuffix: suffixOf(currency),
    frauddata: "",
    validationdata: "",
    lineitems: new List(
      "lineitem",
      installation.state.services
        .filter(({ id }) => order.serviceIds.includes(id))
        .map((service) => lineItem(installation, service)),
    ),
  }
}

function lineItem(installation: Installation, service: Service): WhmcsResponse {
  const item = itemOf(installation, service.pid)
  return {
    type: "product",
    relid: service.id,
    producttype: "Other Product/Service",
    product: `${groupName(item)} - ${item.name}`,
    domain: service.domain,
    billingcycle: displayCycle(service.cycle),
    amount: decimal(service.firstPayment),
    status: service.status,
  }
}

/** A module's display name in the client area. */
export function displayName(gateway: string): string {
  return gateway.charAt(0).toUpperCase() + gateway.slice(1)
}
