package jpi;

/** The usual operations. All are commutative, so that it does not matter which operand is the left one. */
final class UsualElements extends Elementwise {
    private final Usual usual;

    /** Which. */
    enum Usual {
        SUM,
        PROD,
        MAX,
        MIN,
        LAND,
        LOR,
        LXOR,
        BAND,
        BOR,
        BXOR;

        /** If it asks for bits, or for true and false. */
        boolean isOfIntegers() {
            return compareTo(LAND) >= 0;
        }

        /** If it asks for true and false. */
        boolean isLogical() {
            return this == LAND || this == LOR || this == LXOR;
        }
    }

    UsualElements(Usual usual) {
        this.usual = usual;
    }

    Usual usual() {
        return usual;
    }

    @Override
    boolean suits(JType type) {
        return !usual.isOfIntegers() || (type != JType.FLOAT && type != JType.DOUBLE);
    }

    @Override
    boolean isBitwise() {
        return usual == Usual.BAND || usual == Usual.BOR || usual == Usual.BXOR;
    }

    @Override
    String domain() {
        if (usual.isLogical()) {
            return "Booleans and integers";
        }
        return usual.isOfIntegers() ? "integers" : "numbers";
    }

    boolean logical(boolean left, boolean right) {
        return switch (usual) {
            case LAND -> left && right;
            case LOR -> left || right;
            case LXOR -> left != right;
            default -> throw new AssertionError(usual);
        };
    }

    @Override
    void ints(int[] into, int[] from, int start, int end, boolean fromIsLeft) {
        switch (usual) {
            case SUM -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] + from[i];
                }
            }
            case PROD -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] * from[i];
                }
            }
            case MAX -> {
                for (int i = start; i < end; i++) {
                    into[i] = Math.max(into[i], from[i]);
                }
            }
            case MIN -> {
                for (int i = start; i < end; i++) {
                    into[i] = Math.min(into[i], from[i]);
                }
            }
            case LAND -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] != 0 && from[i] != 0 ? 1 : 0;
                }
            }
            case LOR -> {
                for (int i = start; i < end; i++) {
                    into[i] = (into[i] | from[i]) != 0 ? 1 : 0;
                }
            }
            case LXOR -> {
                for (int i = start; i < end; i++) {
                    into[i] = (into[i] != 0) != (from[i] != 0) ? 1 : 0;
                }
            }
            case BAND -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] & from[i];
                }
            }
            case BOR -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] | from[i];
                }
            }
            case BXOR -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] ^ from[i];
                }
            }
        }
    }

    @Override
    void longs(long[] into, long[] from, int start, int end, boolean fromIsLeft) {
        switch (usual) {
            case SUM -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] + from[i];
                }
            }
            case PROD -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] * from[i];
                }
            }
            case MAX -> {
                for (int i = start; i < end; i++) {
                    into[i] = Math.max(into[i], from[i]);
                }
            }
            case MIN -> {
                for (int i = start; i < end; i++) {
                    into[i] = Math.min(into[i], from[i]);
                }
            }
            case LAND -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] != 0 && from[i] != 0 ? 1 : 0;
                }
            }
            case LOR -> {
                for (int i = start; i < end; i++) {
                    into[i] = (into[i] | from[i]) != 0 ? 1 : 0;
                }
            }
            case LXOR -> {
                for (int i = start; i < end; i++) {
                    into[i] = (into[i] != 0) != (from[i] != 0) ? 1 : 0;
                }
            }
            case BAND -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] & from[i];
                }
            }
            case BOR -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] | from[i];
                }
            }
            case BXOR -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] ^ from[i];
                }
            }
        }
    }

    @Override
    void floats(float[] into, float[] from, int start, int end, boolean fromIsLeft) {
        switch (usual) {
            case SUM -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] + from[i];
                }
            }
            case PROD -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] * from[i];
                }
            }
            case MAX -> {
                for (int i = start; i < end; i++) {
                    into[i] = Math.max(into[i], from[i]);
                }
            }
            case MIN -> {
                for (int i = start; i < end; i++) {
                    into[i] = Math.min(into[i], from[i]);
                }
            }
            default -> throw new AssertionError(usual);
        }
    }

    @Override
    void doubles(double[] into, double[] from, int start, int end, boolean fromIsLeft) {
        switch (usual) {
            case SUM -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] + from[i];
                }
            }
            case PROD -> {
                for (int i = start; i < end; i++) {
                    into[i] = into[i] * from[i];
                }
            }
            case MAX -> {
                for (int i = start; i < end; i++) {
                    into[i] = Math.max(into[i], from[i]);
                }
            }
            case MIN -> {
                for (int i = start; i < end; i++) {
                    into[i] = Math.min(into[i], from[i]);
                }
            }
            default -> throw new AssertionError(usual);
        }
    }
}
