/** Loaded before a router: whoever started it asks for its processor time, in microseconds; /proc counts hundredths of a second. */
process.on('message', () => process.send?.(process.cpuUsage()));
// Or the router would wait for questions when it stops.
process.channel?.unref();
// A bench that was ended leaves no router behind.
process.on('disconnect', () => process.exit(1));
