package ayatori.cli.aggregate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;

/** What the meter has counted, for programs: one JSON object. */
final class MeterJson {
    private final JsonGenerator json;

    private MeterJson(JsonGenerator json) {
        this.json = json;
    }

    static String of(MeterReading reading, String scheduler) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            new MeterJson(json).write(reading, scheduler);
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory", e);
        }
        return text.toString();
    }

    private void write(MeterReading reading, String scheduler) throws IOException {
        json.writeStartObject();
        json.writeStringField("scheduler", scheduler);
        json.writeNumberField("counted_ns", reading.nanos());
        json.writeArrayFieldStart("cpus");
        for (MeterReading.Cpu cpu : reading.cpus()) {
            json.writeStartObject();
            json.writeNumberField("cpu", cpu.number());
            json.writeNumberField("switches", cpu.switches());
            json.writeNumberField("user_switches", cpu.userSwitches());
            json.writeNumberField("space_switches", cpu.entries());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("processes");
        for (MeterReading.AddressSpace process : reading.processes()) {
            write(process);
        }
        json.writeEndArray();
        json.writeNumberField("lost_switches", reading.lostSwitches());
        json.writeNumberField("lost_delays", reading.lostDelays());
        json.writeEndObject();
    }

    private void write(MeterReading.AddressSpace process) throws IOException {
        json.writeStartObject();
        json.writeNumberField("pid", process.pid());
        json.writeStringField("name", process.name());
        json.writeNumberField("switches", process.switches());
        json.writeNumberField("space_switches", process.entries());
        json.writeNumberField("ran_ns", process.ranNanos());
        json.writeNumberField("delay_ns", process.delayNanos());
        write("batches", process.batches());
        write("delays", process.delays());
        json.writeEndObject();
    }

    private void write(String name, Lengths lengths) throws IOException {
        json.writeArrayFieldStart(name);
        for (Lengths.Bucket bucket : lengths.buckets()) {
            json.writeStartObject();
            json.writeNumberField("from_ns", bucket.shortest());
            json.writeNumberField("count", bucket.count());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
