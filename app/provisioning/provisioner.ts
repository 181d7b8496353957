import type { Service } from "~/domain/service"

/**
 * Whoever makes lines for viewers: ourselves, an operator's panel. Every call throws a `ProvisioningError` when it
 * was not carried out, and may be repeated: the same call twice is the same line.
 */
export interface Provisioner {
  /**
   * Makes the line, or finds the one the same service made before. `host`: where players connect; for a reseller's
   * service (`line.kind`) the address of the panel he works with.
   */
  create(line: Service): Promise<{ host: string }>
  /** The line works no more. One that is not there is none. */
  terminate(line: Service): Promise<void>
  /** Ends what is playing on the line; its credentials stay. */
  restart(line: Service): Promise<void>
  /** Ties the line to a device: `line.deviceAddress`, which is not null. */
  setDeviceAddress(line: Service): Promise<void>
  /** The line may be watched on `line.connections` screens at once. */
  setConnections(line: Service): Promise<void>
  /** The channel list of a working line as playlist text (reference: playlist-and-devices, section 2). */
  playlist(line: WorkingLine): Promise<string>
  /** Where players fetch the channel list by themselves; null when there is no such place but this shop. */
  playlistAddress(line: WorkingLine): string | null
}

export type WorkingLine = Service & { host: string }

export class ProvisioningError extends Error {
  override name = "ProvisioningError"
}
