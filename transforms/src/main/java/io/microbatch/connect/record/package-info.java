/** What there is to know of any Connect record, whatever connector it belongs to. */
package io.microbatch.connect.record;
