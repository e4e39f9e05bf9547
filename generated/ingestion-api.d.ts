// Written by `npm run generate` from the documents in openapi/. Do not edit.

export interface paths {
    "/v1/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send many events at once. */
        post: operations["batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one identify call. */
        post: operations["identify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one track call. */
        post: operations["track"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one page call. */
        post: operations["page"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one screen call. */
        post: operations["screen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one group call. */
        post: operations["group"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alias": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one alias call. */
        post: operations["alias"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description One analytics call, as senders write it. */
        Call: {
            /** @enum {string} */
            type?: "identify" | "track" | "page" | "screen" | "group" | "alias";
            messageId?: string | null;
            userId?: components["schemas"]["Id"];
            anonymousId?: components["schemas"]["Id"];
            groupId?: components["schemas"]["Id"];
            previousId?: components["schemas"]["Id"];
            event?: string | null;
            name?: string | null;
            category?: string | null;
            properties?: components["schemas"]["Object"];
            traits?: components["schemas"]["Object"];
            context?: components["schemas"]["Object"];
            integrations?: components["schemas"]["Object"];
            /** @description Without it the server's time is used (ING-6). */
            timestamp?: string | null;
            sentAt?: string | null;
            writeKey?: string | null;
        } & {
            [key: string]: unknown;
        };
        Batch: {
            /** @description Calls. An item that is no valid call is dropped alone, and the others are kept (D-42), so no shape is demanded here. Of a batch of more than 2 500 calls all are dropped. */
            batch: unknown[];
            writeKey?: string | null;
            /** @description When the sender sent this, by its own clock (D-44). What is no time is left out of account. */
            sentAt?: unknown;
            /** @description Merged under the context of each event. */
            context?: unknown;
            /** @description Merged under the integrations of each event. */
            integrations?: unknown;
        };
        /** @description An error as every SDK in the field can read it (D-40). */
        Failure: {
            error: string;
            /** @description The numbers of the Config API. */
            code: number;
            /** @description The same text as `error`. */
            message: string;
        };
        /** @description A Call. Its fields are checked one by one, and an event that fails is dropped and counted (D-42), so no more than an object is demanded here. */
        CallBody: {
            [key: string]: unknown;
        };
        /** @description Numbers are taken, and kept as text. */
        Id: string | number | null;
        Object: {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description Exactly 200 with exactly this body (D-40); every event that passed its own checks is on disk. */
        Accepted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: true;
                };
            };
        };
        /** @description The body is no JSON, or no object of the right form. Nothing is stored. */
        Malformed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The write key is missing or belongs to no source (D-41). */
        UnknownWriteKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body is over 516 096 bytes (512 000 of events, and 4 096 around them), a single event is over 32 768 bytes, or the context and integrations of a batch are, or add more than 2 048 000 bytes to its events in all. Nothing is stored (ING-2). */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The store cannot write now. Nothing is stored; send it again. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    batch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    identify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    track: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    page: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    screen: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    group: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    alias: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallBody"];
            };
        };
        responses: {
            200: components["responses"]["Accepted"];
            400: components["responses"]["Malformed"];
            401: components["responses"]["UnknownWriteKey"];
            413: components["responses"]["TooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
}
