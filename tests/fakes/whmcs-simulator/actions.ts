import { addOrder } from "./add-order"
import { getClients, getClientsDetails, getUsers } from "./client-queries"
import { addClient, updateClient, validateLogin } from "./clients"
import type { Action } from "./installation"
import { getInvoice, getInvoices } from "./invoice-queries"
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
import { acceptOrder, cancelOrder, fraudOrder, orderFraudCheck, setOrderPending } from "./order-status"
import { getOrderStatuses, getOrders } from "./orders"
import { addCredit, addInvoicePayment, addTransaction, applyCredit, getTransactions } from "./payments"
import { getProducts } from "./products"
import { getPromotions } from "./promotions"
import { getClientsProducts } from "./service-queries"
import { updateClientProduct } from "./services"
import { affiliateActivate, getAffiliates, getCurrencies, getPaymentMethods, whmcsDetails } from "./system"
import { upgradeProduct } from "./upgrades"

/** The simulated API actions, in lower case: WHMCS ignores the case of action names. */
export const actions: ReadonlyMap<string, Action> = new Map(
  Object.entries({
    getProducts,
    getPromotions,
    getPaymentMethods,
    getCurrencies,
    whmcsDetails,
    addClient,
    updateClient,
    validateLogin,
    getClientsDetails,
    getClients,
    getUsers,
    addOrder,
    acceptOrder,
    cancelOrder,
    fraudOrder,
    orderFraudCheck,
    pendingOrder: setOrderPending,
    getOrders,
    getOrderStatuses,
    getInvoice,
    getInvoices,
    createInvoice,
    updateInvoice,
    addInvoicePayment,
    addTransaction,
    getTransactions,
    addCredit,
    applyCredit,
    getClientsProducts,
    updateClientProduct,
    upgradeProduct,
    moduleCreate,
    moduleTerminate,
    moduleSuspend,
    moduleUnsuspend,
    moduleChangePackage,
    moduleChangePw,
    moduleCustom,
    affiliateActivate,
    getAffiliates,
  }).map(([name, action]) => [name.toLowerCase(), action]),
)
