import CMosquitto
import EventLoop
import Motion
import SystemCalls
import Threads

/// Keeps a connection to the broker, on a thread of its own: to find and to reach a host may take minutes,
/// in which the viewer and signals are served all the same.
enum BrokerThread {
    /// The pauses between attempts, in milliseconds.
    private static let pauses = (first: 1000.0, longest: 60_000.0)
    /// How long a connection has to last until the next pause is short again, in milliseconds.
    private static let provenTime = 10_000.0
    /// How long the last publications may take at the end, in milliseconds.
    private static let leaveTime = 1000.0

    static func run(_ settings: BrokerSettings, _ mailbox: BrokerMailbox) {
        var pause = RetryPause(from: pauses.first, to: pauses.longest)
        var speaksVersion5 = true
        while !mailbox.isStopping {
            let start = MonotonicClock.now()
            do throws(BrokerClient.Failure) {
                let client = try BrokerClient(settings, speaksVersion5: speaksVersion5) {
                    mailbox.post(.command(part: $0, payload: $1))
                }
                try serve(client, settings, mailbox)
            } catch {
                guard !mailbox.isStopping else { break }
                if error.mayBeOld { speaksVersion5.toggle() }
                mailbox.post(.disconnected(error.reason))
                let lasted = MonotonicClock.now().milliseconds - start.milliseconds
                if lasted >= provenTime { pause.reset() }
                sleep(pause.next(), mailbox)
            }
        }
        mailbox.ended.raise()
    }

    /// Serves a connection until it ends, or until the bridge stops.
    private static func serve(
        _ client: BrokerClient, _ settings: BrokerSettings, _ mailbox: BrokerMailbox
    ) throws(BrokerClient.Failure) {
        mailbox.forgetPublications()
        while !mailbox.isStopping {
            // The table waits while the broker does not read, and keeps the newest payloads.
            while client.isConnected, client.isFlushed, let next = mailbox.nextPublication() {
                try client.publish(next)
            }
            let hasMore = client.isConnected && client.isFlushed && mailbox.hasPublications
            if try client.turn(wakeup: hasMore ? -1 : mailbox.waiting.descriptor) {
                mailbox.post(.connected)
            }
            mailbox.waiting.lower()
        }
        guard client.isConnected else { return }
        try client.publish(Publication(settings.topics.availability, "offline"))
        let end = MonotonicClock.now().advanced(byMilliseconds: leaveTime)
        while !client.isFlushed, MonotonicClock.now() < end { _ = try client.turn(wakeup: -1) }
        client.leave()
    }

    /// Sleeps for some milliseconds, or until the bridge stops.
    private static func sleep(_ milliseconds: Double, _ mailbox: BrokerMailbox) {
        let end = MonotonicClock.now().advanced(byMilliseconds: milliseconds)
        while !mailbox.isStopping {
            let rest = end.milliseconds - MonotonicClock.now().milliseconds
            guard rest > 0 else { return }
            waitUntilReady(mailbox.waiting.descriptor, milliseconds: Int32(rest.rounded(.up)))
            mailbox.waiting.lower()
        }
    }
}
