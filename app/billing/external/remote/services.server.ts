import { BillingError } from "~/billing/billing"
import type { ExternalServiceRef, ExternalServices } from "~/billing/external/external-services"
import type { ServiceStatus } from "~/domain/services/service"
import { isRejection, type RemoteCall } from "./api-client.server"
import { calls } from "./remote-calls"
import type { ServiceLookup } from "./service-lookup.server"
import { deviceField, statusOf } from "./service-schema"

const ENDED: ReadonlySet<ServiceStatus> = new Set(["Cancelled", "Terminated"])

/** Lookups and changes of a customer's services. */
export function remoteServices(
  remoteCall: RemoteCall,
  lines: ServiceLookup,
): Omit<ExternalServices, "provision"> {
  async function isClosed(named: ExternalServiceRef): Promise<boolean> {
    const service = await lines.find(named)
    return service === null || ENDED.has(statusOf(service))
  }

  return {
    // No call names the owner of a service.
    ownerOf: null,
    services: (customerId) => lines.all(customerId),
    service: (owner) => lines.read(owner),

    /** A rejection is not an error if the service is already cancelled or missing. */
    async terminate(named) {
      const { customerId, serviceId: serviceid } = named
      await remoteCall(calls.moduleTerminate, { serviceid }, { customerId }).catch(async (error: unknown) => {
        if (!isRejection(error) || !(await isClosed(named))) throw error
      })
    },

    async restart({ customerId, serviceId: serviceid }) {
      await remoteCall(calls.restartService, { serviceid }, { customerId })
    },

    async setDeviceAddress(named, macAddress) {
      const { customerId, serviceId: serviceid } = named
      const outcome = await lines.find(named)
      const id = outcome && deviceField(outcome)?.id
      if (!id)
        throw new BillingError("refused", `Service ${serviceid} has no custom field for a device address`)
      const { result } = await remoteCall(
        calls.updateMacAddress,
        { serviceid, macAddress, id },
        { customerId },
      )
      if (!result)
        throw new BillingError(
          "refused",
          `Device address of service ${serviceid} rejected by the billing server`,
        )
    },

    async setNotes({ customerId, serviceId: serviceid }, notes) {
      await remoteCall(calls.updateClientProduct, { serviceid, notes }, { customerId })
    },
  }
}
