import { addOrder } from "./add-order"
import { getClients, getClientsDetails, getUsers } from "./client-rows"
import { addClient, updateClient, validateLogin } from "./clients"
import { getInvoice, getInvoices } from "./invoice-rows"
import { createInvoice, updateInvoice } from "./invoices"
import {
  moduleChangePackage,
  moduleChangePw,
  moduleCreate,
  moduleCustom,
  moduleSuspend,
  moduleTerminate,
  moduleUnsuspend,
} from "./modules"
import { acceptOrder, cancelOrder, fraudOrder, orderFraudCheck, setOrderPending } from "./order-states"
import { getOrderStatuses, getOrders } from "./orders"
import { addCredit, addInvoicePayment, addTransaction, applyCredit, getTransactions } from "./payments"
import { getProducts } from "./products"
import { getPromotions } from "./promotions"
import { getClientsProducts } from "./service-rows"
import { updateClientProduct } from "./services"
import { affiliateActivate, getAffiliates, getCurrencies, getPaymentMethods, whmcsDetails } from "./system"
import { upgradeProduct } from "./upgrades"
import type { Action } from "./world"

/** The actions of the API that are simulated, in lower case: names are taken in any. */
export const actions: ReadonlyMap<string, Action> = new Map(
  Object.entries({
    ...{ getProducts, getPromotions, getPaymentMethods, getCurrencies, whmcsDetails },
    ...{ addClient, updateClient, validateLogin, getClientsDetails, getClients, getUsers },
    ...{ addOrder, acceptOrder, cancelOrder, fraudOrder, orderFraudCheck, pendingOrder: setOrderPending },
    ...{ getOrders, getOrderStatuses, getInvoice, getInvoices, createInvoice, updateInvoice },
    ...{ addInvoicePayment, addTransaction, getTransactions, addCredit, applyCredit },
    ...{ getClientsProducts, updateClientProduct, upgradeProduct },
    ...{ moduleCreate, moduleTerminate, moduleSuspend, moduleUnsuspend, moduleChangePackage },
    ...{ moduleChangePw, moduleCustom, affiliateActivate, getAffiliates },
  }).map(([name, action]) => [name.toLowerCase(), action]),
)
